// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process sees that lacks something: each case in a Java machine of its own, since a library is probed once. */
class NativeLibraryTest {
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    @TempDir
    Path folder;

    @Test
    void shouldBeAvailableOnAMachineWithTheLibraries() throws Exception {
        assertThat(ChildJvm.run(List.of(NATIVE_ACCESS), AvailabilityReport.class))
                .contains("LIBIBVERBS available", "LIBRDMACM available", "verbs: available");
    }

    @Test
    void shouldSayWhatToInstallWhenTheLibraryIsMissing() throws Exception {
        String report = ChildJvm.run(
                List.of(NATIVE_ACCESS, "-Dio.rdmachannel.libibverbs=/nowhere/libibverbs.so.1"),
                AvailabilityReport.class);

        assertThat(report)
                .contains("LIBIBVERBS unavailable", "/nowhere/libibverbs.so.1", "absolute path")
                .contains("verbs: RdmaUnavailableException")
                .doesNotContain("ExceptionInInitializerError")
                .doesNotContain("NoClassDefFoundError");
    }

    @Test
    void shouldSayWhatToInstallWhenTheConnectionManagerIsMissingAndKeepVerbs() throws Exception {
        String report = ChildJvm.run(
                List.of(NATIVE_ACCESS, "-Dio.rdmachannel.librdmacm=/nowhere/librdmacm.so.1"), AvailabilityReport.class);

        assertThat(report)
                .contains("LIBRDMACM unavailable", "/nowhere/librdmacm.so.1")
                .contains("connection manager: RdmaUnavailableException", "verbs: available");
    }

    @Test
    void shouldNameTheFlagWhenNativeAccessIsDenied() throws Exception {
        String report = ChildJvm.run(List.of("--illegal-native-access=deny"), AvailabilityReport.class);

        assertThat(report)
                .contains("LIBIBVERBS unavailable", "--enable-native-access=ALL-UNNAMED")
                .contains("verbs: RdmaUnavailableException")
                .doesNotContain("ExceptionInInitializerError")
                .doesNotContain("NoClassDefFoundError");
    }

    @Test
    void shouldNameTheFlagAndWarnOfNothingWhenNativeAccessIsNotGiven() throws Exception {
        String report = ChildJvm.run(List.of(), AvailabilityReport.class);

        assertThat(report).contains("--enable-native-access=ALL-UNNAMED").doesNotContain("WARNING");
    }

    @Test
    void shouldNameTheMissingFunctionsOfALibraryThatIsNoneOfRdmaCore() throws Exception {
        Path library = compile("int ibv_open_device(void) { return 0; }", "libibverbs.so.1");

        String report = ChildJvm.run(
                List.of(NATIVE_ACCESS, "-Dio.rdmachannel.libibverbs=" + library), AvailabilityReport.class);

        assertThat(report)
                .contains("LIBIBVERBS unavailable", "lacks", "ibv_create_qp")
                .contains("verbs: RdmaUnavailableException");
    }

    @Test
    void shouldRefuseAReplacementWithAnotherSoname() throws Exception {
        Path library = compile(ReplacementLibrary.source(), "other.so.1");

        String report = ChildJvm.run(
                List.of(NATIVE_ACCESS, "-Dio.rdmachannel.libibverbs=" + library), AvailabilityReport.class);

        assertThat(report).contains("LIBIBVERBS unavailable", "does not carry the soname", "-Wl,-soname");
    }

    @Test
    void shouldUseAReplacementThatCarriesTheSonameAndTellWhichOptionalFunctionItLacks() throws Exception {
        Path library = compile(ReplacementLibrary.source(), "libibverbs.so.1");

        String report = ChildJvm.run(
                List.of(NATIVE_ACCESS, "-Dio.rdmachannel.libibverbs=" + library), AvailabilityReport.class);

        assertThat(report)
                .contains("LIBIBVERBS available", "ibv_reg_mr_iova2 missing", "verbs: available")
                .contains("calling a missing function: IllegalStateException");
    }

    private Path compile(String source, String soname) throws IOException, InterruptedException {
        Path code = Files.writeString(folder.resolve("library.c"), source);
        Path library = folder.resolve("library.so");
        ChildProcess.run(
                List.of("gcc", "-shared", "-fPIC", "-Wl,-soname," + soname, "-o", library.toString(), code.toString()));
        return library;
    }
}
