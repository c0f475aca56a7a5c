// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Records events of channels while a test does something. */
final class Flight implements AutoCloseable {
    private static final String PREFIX = "io.rdmachannel.channel.";

    private final Recording recording = new Recording();

    /** Begins to record events, in whatever time they are over. */
    Flight(String... names) {
        for (String name : names) {
            recording.enable(PREFIX + name).withThreshold(Duration.ZERO);
        }
        recording.start();
    }

    /** Ends recording; gives what there was of one name, in the order of time. */
    List<RecordedEvent> of(String name) throws Exception {
        recording.stop();
        Path file = Files.createTempFile("flight", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals(PREFIX + name))
                    .sorted((one, other) -> one.getStartTime().compareTo(other.getStartTime()))
                    .toList();
        } finally {
            Files.delete(file);
        }
    }

    @Override
    public void close() {
        recording.close();
    }
}
