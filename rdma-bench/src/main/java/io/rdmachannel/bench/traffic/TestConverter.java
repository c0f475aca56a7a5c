// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.result.TestKind;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a test's name from the command line. */
public final class TestConverter implements ITypeConverter<TestKind> {
    /** Made by picocli. */
    public TestConverter() {}

    @Override
    public TestKind convert(String text) {
        try {
            return TestKind.of(text);
        } catch (IllegalArgumentException unknown) {
            throw new TypeConversionException(unknown.getMessage());
        }
    }
}
