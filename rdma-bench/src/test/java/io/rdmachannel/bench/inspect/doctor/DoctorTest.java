// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.bench.inspect.doctor.checks.AllChecks;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DoctorTest {
    /** A check that does what a test says. */
    private record Scripted(String name, Finding finding, RuntimeException failure) implements Check {
        @Override
        public Finding run(Environment environment) {
            if (failure != null) {
                throw failure;
            }
            return finding;
        }
    }

    @Test
    void shouldReportACheckThatFailsAsUnknownAndGoOn() {
        Diagnosis diagnosis = new Doctor(List.of(
                        new Scripted("first", null, new NumberFormatException("For input string: \"x\"")),
                        new Scripted("second", Finding.of(Status.OK, "well"), null)))
                .examine(Environment.live(Request.none()));
        assertThat(diagnosis.checks().getFirst().finding().status()).isEqualTo(Status.UNKNOWN);
        assertThat(diagnosis.checks().getFirst().finding().seen())
                .containsExactly("the check itself failed: java.lang.NumberFormatException: For input string: \"x\"");
        assertThat(diagnosis.checks().getLast().finding().seen()).containsExactly("well");
        assertThat(diagnosis.status()).isEqualTo(Status.UNKNOWN);
    }

    @Test
    void shouldKeepTheWorstStatusAndEachRemedyOnce() {
        Remedy remedy = new Remedy("do it", "command");
        Finding finding = Finding.nothing()
                .and(Status.WARNING, "a", remedy)
                .and(Status.OK, "b")
                .and(Status.WARNING, "c", remedy);
        assertThat(finding).isEqualTo(new Finding(Status.WARNING, List.of("a", "b", "c"), List.of(remedy)));
        assertThat(finding.and(Status.PROBLEM, "d").status()).isEqualTo(Status.PROBLEM);
    }

    @Test
    void shouldNeverFailOnThisMachine() {
        Diagnosis diagnosis = new Doctor(AllChecks.list()).examine(Environment.live(Request.none()));
        assertThat(diagnosis.checks())
                .hasSameSizeAs(AllChecks.list())
                .allSatisfy(result -> assertThat(result.finding().seen())
                        .as(result.name())
                        .isNotEmpty()
                        .noneMatch(seen -> seen.startsWith("the check itself failed")));
        assertThat(diagnosis.checks()).extracting(Diagnosis.Result::name).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "host, host, 0",
        "host:7471, host, 7471",
        "192.0.2.1:1, 192.0.2.1, 1",
        "fd77::1, fd77::1, 0",
        "[fd77::1], fd77::1, 0",
        "[fd77::1]:65535, fd77::1, 65535"
    })
    void shouldReadPeers(String text, String host, int port) {
        assertThat(Peer.parse(text)).isEqualTo(new Peer(host, port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":1", "host:", "host:0", "host:65536", "host:-1", "host:x", "[fd77::1", "[fd77::1]x"})
    void shouldRefuseWhatIsNoPeer(String text) {
        assertThatThrownBy(() -> Peer.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("HOST:PORT");
    }
}
