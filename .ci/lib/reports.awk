# Reads Surefire and Failsafe reports; prints "counts PASSED FAILED SKIPPED" and a line for each test that failed or was
# skipped. Records are split at "<": each begins with the name of a tag.

BEGIN { RS = "<" }

function attribute(name,    text) {
    if (!match($0, "[ \n]" name "=\"[^\"]*\"")) return ""
    text = substr($0, RSTART, RLENGTH)
    sub(/^[^"]*"/, "", text)
    sub(/"$/, "", text)
    gsub(/&#10;|\n/, " ", text); gsub(/&quot;/, "\"", text); gsub(/&apos;/, "'", text)
    gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&amp;/, "\\&", text)
    return text
}

function skip(reason) {
    sub(/^org\.opentest4j\.TestAbortedException: /, "", reason)
    sub(/^Assumption failed: /, "", reason)
    sub(/\]\]>$/, "", reason)
    if (reason ~ /^expected: /) {
        printf "    skipped: %s: %s\n", test, substr(reason, 11)
        expected++
    } else {
        printf "    FAILED: %s was skipped: %s\n", test, reason == "" ? "no reason given" : reason
    }
    test = ""
}

FNR == 1 { inSuite = 0 }

/^testsuite[ \n]/ && !inSuite {
    inSuite = 1
    tests += attribute("tests")
    failed += attribute("failures") + attribute("errors")
    skipped += attribute("skipped")
}

/^testcase[ \n]/ {
    test = attribute("classname") "." attribute("name")
}

/^(failure|error)[ \n>]/ && test != "" {
    printf "    FAILED: %s: %s\n", test, substr(attribute("message"), 1, 200)
    test = ""
}

# The reason of @Disabled is an attribute, that of a failed assumption the text of the element.
/^skipped[ \n\/>]/ && test != "" {
    reason = attribute("message")
    if (reason != "" || /\/>/) skip(reason)
}

/^!\[CDATA\[/ && test != "" && afterSkipped {
    split(substr($0, 9), lines, "\n")
    skip(lines[1])
}

{ afterSkipped = /^skipped/ }

END { print "counts " tests - failed - skipped + 0, failed + skipped - expected, expected + 0 }
