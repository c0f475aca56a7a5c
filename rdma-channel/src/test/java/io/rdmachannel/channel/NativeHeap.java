// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code malloc} has given out in this process, in all its arenas, by {@code malloc_info(3)}. */
final class NativeHeap {
    private static final Pattern FREE = Pattern.compile("<total type=\"(fast|rest)\" count=\"\\d+\" size=\"(\\d+)\"/>");

    private static final Pattern FROM_SYSTEM = Pattern.compile("<system type=\"current\" size=\"(\\d+)\"/>");
    private static final Pattern MAPPED = Pattern.compile("<total type=\"mmap\" count=\"\\d+\" size=\"(\\d+)\"/>");

    private NativeHeap() {}

    static long bytesInUse() throws IOException {
        Path file = Files.createTempFile("malloc", ".xml");
        try {
            write(file);
            String text = Files.readString(file);
            // Behind the last arena are the sums of all.
            String sums = text.substring(text.lastIndexOf("</heap>"));
            long inUse = sum(FROM_SYSTEM, 1, sums) + sum(MAPPED, 1, sums) - sum(FREE, 2, sums);
            assertThat(inUse).as("what malloc_info tells:%n%s", sums).isPositive();
            return inUse;
        } finally {
            Files.delete(file);
        }
    }

    private static long sum(Pattern pattern, int group, String text) {
        long sum = 0;
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            sum += Long.parseLong(matcher.group(group));
        }
        return sum;
    }

    @SuppressWarnings("restricted")
    private static void write(Path file) throws IOException {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor open = FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
        FunctionDescriptor info =
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
        FunctionDescriptor close = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment stream =
                    (MemorySegment) linker.downcallHandle(linker.defaultLookup().findOrThrow("fopen"), open)
                            .invokeExact(arena.allocateFrom(file.toString()), arena.allocateFrom("w"));
            if (stream.address() == 0) {
                throw new IOException("cannot open " + file);
            }
            int told = (int) linker.downcallHandle(linker.defaultLookup().findOrThrow("malloc_info"), info)
                    .invokeExact(0, stream);
            int closed = (int) linker.downcallHandle(linker.defaultLookup().findOrThrow("fclose"), close)
                    .invokeExact(stream);
            if (told != 0 || closed != 0) {
                throw new IOException("malloc_info or fclose failed");
            }
        } catch (IOException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }
}
