// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Falsifies the Java side and shows that the real C program disagrees. */
class FalsifiedLayoutTest {
    private final Path root = RepositoryRoot.find();
    private final ProbeRunner runner = new ProbeRunner(root, "falsified-layout-probe");

    @ParameterizedTest
    @EnumSource
    void shouldFailForEveryFactThatIsWrong(ProbedLibrary library) throws IOException, InterruptedException {
        Toolchain.demand(new Toolchain(root).problem(library), Toolchain.isRequired());
        // Where the header has grown, so that C's size is larger, a larger one in Java is no contradiction.
        List<Fact> falsified = GeneratedPackage.of(root, library).facts().stream()
                .filter(fact -> !fact.growing())
                .map(fact -> Fact.exact(fact.subject(), fact.expression(), fact.value() + 1))
                .toList();

        List<String> printed = runner.run(new ProbeProgram(library, falsified));

        assertThat(LayoutChecker.mismatches(falsified, printed).size())
                .as("found, of so many")
                .isEqualTo(falsified.size());
    }

    @Test
    void shouldAgreeWithATruthfulClass() throws IOException, InterruptedException {
        assertThat(mismatchesOfPollfd(Truthful.class)).isEmpty();
    }

    @Test
    void shouldFailWhenAClassSwapsTwoMembers() throws IOException, InterruptedException {
        assertThat(mismatchesOfPollfd(Swapped.class))
                .containsExactlyInAnyOrder(
                        "Swapped.layout(), events: Java has 6, C has 4 for offsetof(struct pollfd, events)",
                        "Swapped.layout(), revents: Java has 4, C has 6 for offsetof(struct pollfd, revents)");
    }

    @Test
    void shouldFailWhenAnAccessorIsEditedByHand() throws IOException, InterruptedException {
        assertThat(mismatchesOfPollfd(EditedAccessor.class))
                .containsExactly("FalsifiedLayoutTest.EditedAccessor.revents$offset(): Java has 4,"
                        + " C has 6 for offsetof(struct pollfd, revents)");
    }

    @Test
    void shouldFailWhenAClassLacksTheLastMember() throws IOException, InterruptedException {
        assertThat(mismatchesOfPollfd(Shorter.class))
                .containsExactly("Shorter.layout(): Java has 6, C has 8 for sizeof(struct pollfd)");
    }

    @Test
    void shouldNameAMemberThatCDoesNotHave() {
        assertThatThrownBy(() -> mismatchesOfPollfd(Renamed.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("does not compile", "no member named", "happened", RepositoryRoot.GENERATE);
    }

    private List<String> mismatchesOfPollfd(Class<?> generated) throws IOException, InterruptedException {
        Toolchain.demand(new Toolchain(root).problem(ProbedLibrary.LIBC), Toolchain.isRequired());
        List<Fact> facts = CStruct.facts(generated, "struct pollfd", Set.of());
        ProbeProgram program = new ProbeProgram("falsified", ProbedLibrary.LIBC.umbrellaHeader(), facts);
        return LayoutChecker.mismatches(facts, runner.run(program));
    }

    private static MemoryLayout int32(String name) {
        return ValueLayout.JAVA_INT.withName(name);
    }

    private static MemoryLayout int16(String name) {
        return ValueLayout.JAVA_SHORT.withName(name);
    }

    /** What jextract makes of {@code struct pollfd}, in short. */
    public static final class Truthful {
        private Truthful() {}

        public static GroupLayout layout() {
            return MemoryLayout.structLayout(int32("fd"), int16("events"), int16("revents"));
        }
    }

    /** Two members in the wrong order. */
    public static final class Swapped {
        private Swapped() {}

        public static GroupLayout layout() {
            return MemoryLayout.structLayout(int32("fd"), int16("revents"), int16("events"));
        }
    }

    /** A truthful layout with an accessor that lies. */
    public static final class EditedAccessor {
        private EditedAccessor() {}

        public static GroupLayout layout() {
            return Truthful.layout();
        }

        @SuppressWarnings("checkstyle:MethodName")
        public static long revents$offset() {
            return 4;
        }
    }

    /** One member less. */
    public static final class Shorter {
        private Shorter() {}

        public static GroupLayout layout() {
            return MemoryLayout.structLayout(int32("fd").withByteAlignment(Integer.BYTES), int16("events"));
        }
    }

    /** A member under a name of its own. */
    public static final class Renamed {
        private Renamed() {}

        public static GroupLayout layout() {
            return MemoryLayout.structLayout(int32("fd"), int16("events"), int16("happened"));
        }
    }
}
