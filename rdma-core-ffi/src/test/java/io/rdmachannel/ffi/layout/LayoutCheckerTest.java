// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Proves that the comparison fails when it must; {@link FalsifiedLayoutTest} does so through a real C program. */
class LayoutCheckerTest {
    private static final String SIZE = "sizeof(struct ibv_sge)";
    private static final String OFFSET = "offsetof(struct ibv_sge, lkey)";
    private static final List<Fact> FACTS = List.of(
            Fact.exact("ibv_sge.layout()", SIZE, 16),
            Fact.exact("ibv_sge.lkey$offset()", OFFSET, 12),
            Fact.exact("ibverbs_constants.IBV_QPT_RC()", "IBV_QPT_RC", 2),
            Fact.exact("libc.RLIM_INFINITY()", "RLIM_INFINITY", -1));
    private static final List<String> PRINTED =
            List.of(SIZE + "\t16", OFFSET + "\t12", "IBV_QPT_RC\t2", "RLIM_INFINITY\t-1");

    @Test
    void shouldPassWhenBothSidesAgree() {
        assertThat(LayoutChecker.mismatches(FACTS, PRINTED)).isEmpty();
    }

    @Test
    void shouldFailWhenOneSizeIsWrong() {
        assertThat(LayoutChecker.mismatches(FACTS, printedWith(0, SIZE + "\t24")))
                .containsExactly("ibv_sge.layout(): Java has 16, C has 24 for " + SIZE);
    }

    @Test
    void shouldFailWhenOneOffsetIsWrong() {
        assertThat(LayoutChecker.mismatches(FACTS, printedWith(1, OFFSET + "\t8")))
                .containsExactly("ibv_sge.lkey$offset(): Java has 12, C has 8 for " + OFFSET);
    }

    @Test
    void shouldFailWhenOneConstantIsWrong() {
        assertThat(LayoutChecker.mismatches(FACTS, printedWith(2, "IBV_QPT_RC\t3")))
                .containsExactly("ibverbs_constants.IBV_QPT_RC(): Java has 2, C has 3 for IBV_QPT_RC");
    }

    @Test
    void shouldFailWhenOnlyTheSignIsWrong() {
        assertThat(LayoutChecker.mismatches(FACTS, printedWith(3, "RLIM_INFINITY\t4294967295")))
                .containsExactly("libc.RLIM_INFINITY(): Java has -1, C has 4294967295 for RLIM_INFINITY");
    }

    @Test
    void shouldFailWhenAMemberIsMissingInC() {
        assertThat(LayoutChecker.mismatches(FACTS, without(1)))
                .containsExactly("ibv_sge.lkey$offset(): Java has 12, C printed no " + OFFSET);
    }

    @Test
    void shouldFailWhenAMemberIsMissingInJava() {
        List<Fact> fewer =
                FACTS.stream().filter(fact -> !fact.expression().equals(OFFSET)).toList();

        assertThat(LayoutChecker.mismatches(fewer, PRINTED))
                .containsExactly(OFFSET + ": C has 12, Java states nothing");
    }

    @Test
    void shouldFailForEveryFactWhenCPrintsNothing() {
        assertThat(LayoutChecker.mismatches(FACTS, List.of()))
                .hasSameSizeAs(FACTS)
                .allMatch(text -> text.contains("C printed no "));
    }

    @Test
    void shouldFailWhenJavaStatesNothing() {
        assertThat(LayoutChecker.mismatches(List.of(), List.of())).containsExactly("Java states nothing at all");
    }

    @Test
    void shouldFailOnALineThatIsNoMeasurement() {
        List<String> printed = new ArrayList<>(PRINTED);
        printed.add("out of memory");
        printed.add("IBV_QPT_UC\tthree");
        printed.add(PRINTED.getFirst());

        assertThat(LayoutChecker.mismatches(FACTS, printed))
                .hasSize(3)
                .allMatch(text -> text.startsWith("C printed a line that is no measurement"));
    }

    @Test
    void shouldLetAGrowingStructureBeLargerInCButNotSmaller() {
        List<Fact> growing = List.of(new Fact("ibv_sge.layout()", SIZE, 16, true));

        assertThat(LayoutChecker.mismatches(growing, List.of(SIZE + "\t24"))).isEmpty();
        assertThat(LayoutChecker.mismatches(growing, List.of(SIZE + "\t8"))).hasSize(1);
    }

    @Test
    void shouldReportEveryDifferenceAndTheCommandThatRegenerates() {
        List<String> mismatches = LayoutChecker.mismatches(FACTS, List.of(SIZE + "\t24", OFFSET + "\t8"));

        assertThat(LayoutChecker.report(mismatches))
                .contains("differ, 4 times", "Java has 16, C has 24", "Java has 12, C has 8", RepositoryRoot.GENERATE);
    }

    private static List<String> printedWith(int index, String line) {
        List<String> printed = new ArrayList<>(PRINTED);
        printed.set(index, line);
        return printed;
    }

    private static List<String> without(int index) {
        List<String> printed = new ArrayList<>(PRINTED);
        printed.remove(index);
        return printed;
    }
}
