# Counts test results, a line per suite. Sourced. A suite that left no results counts as one failure, and so does each
# test that was skipped unless its reason starts with "expected: ".

STAMP=$LOGS/started # older results do not count
PASSED=0
FAILED=0
SKIPPED=0

suite_line() { # suite_line NAME PASSED FAILED SKIPPED
    printf '%-24s %6d passed %4d failed %4d skipped\n' "$@"
    PASSED=$((PASSED + $2))
    FAILED=$((FAILED + $3))
    SKIPPED=$((SKIPPED + $4))
}

suite_missing() {
    suite_line "$1" 0 1 0
    echo "    FAILED: $2"
}

# suite_reports NAME FIND-ARGUMENT...: the reports (TEST-*.xml) that find selects and this run wrote.
suite_reports() {
    local name=$1 counts
    shift
    local files
    mapfile -t files < <(find "$@" -name 'TEST-*.xml' -newer "$STAMP" 2>/dev/null | sort)
    if [ ${#files[@]} = 0 ]; then
        suite_missing "$name" 'it left no reports'
        return
    fi
    awk -f .ci/lib/reports.awk "${files[@]}" >"$LOGS/suite"
    counts=$(sed -n 's/^counts //p' "$LOGS/suite")
    if [ "$counts" = '0 0 0' ]; then
        suite_missing "$name" 'no test ran'
        return
    fi
    # shellcheck disable=SC2086 # three words
    suite_line "$name" $counts
    grep -v '^counts ' "$LOGS/suite" || true
}

# suite_log NAME LOG: a program whose last such line is "N passed, N failed, N skipped".
suite_log() {
    local counts=""
    [ ! -e "$LOGS/$2" ] || counts=$(sed -n 's/^\(.*: \)\{0,1\}\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\2 \3 \4/p' "$LOGS/$2" | tail -n 1)
    if [ -z "$counts" ] || [ "${counts% *}" = '0 0' ]; then
        suite_missing "$1" 'it left no results'
        return
    fi
    # shellcheck disable=SC2086 # three words
    suite_line "$1" $counts
}

# suites_end STATUS: the last line, and the exit status of the whole run. A step may fail where every test passed.
suites_end() {
    if [ "$1" != 0 ] && [ "$FAILED" = 0 ]; then
        FAILED=1
        echo 'A step failed, see above.'
    fi
    echo
    echo "$PASSED passed, $FAILED failed, $SKIPPED skipped"
    [ "$FAILED" = 0 ]
}
