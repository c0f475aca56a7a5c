// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.tool;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of the tool, as the build wrote it down. */
public final class ToolVersion implements IVersionProvider {
    /**
     * Gives the version.
     *
     * @return as in Maven's coordinates
     */
    public static String current() {
        Properties properties = new Properties();
        try (InputStream in = ToolVersion.class.getResourceAsStream("tool.properties")) {
            properties.load(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return properties.getProperty("version");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"rdma-bench " + current() + ", Java " + Runtime.version()};
    }
}
