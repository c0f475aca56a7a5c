// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What came of opening a {@link NativeLibrary}: its symbols, or the reason why it cannot be used. */
final class LibraryProbe {
    private static final String HANDLE_SUFFIX = "$handle";

    private final SymbolLookup symbols;
    private final String problem;

    private LibraryProbe(SymbolLookup symbols, String problem) {
        this.symbols = symbols;
        this.problem = problem;
    }

    /** Opens the library, from {@code path} where that is not null; never throws. */
    static LibraryProbe of(NativeLibrary library, String path) {
        Optional<String> refused = NativeAccess.problem();
        if (refused.isPresent()) {
            return failed(refused.get());
        }
        try {
            SymbolLookup symbols = open(path == null ? library.soname() : path);
            Set<String> missing = missingSymbols(library, symbols);
            if (!missing.isEmpty()) {
                return failed(library.missing(missing));
            }
            return path == null ? new LibraryProbe(symbols, null) : checkedReplacement(library, path, symbols);
        } catch (IllegalArgumentException notOpened) {
            return failed(notOpened(library, path));
        }
    }

    Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    Optional<MemorySegment> find(String name) {
        return symbols == null ? Optional.empty() : symbols.find(name);
    }

    /**
     * jextract's classes ask for the soname; the dynamic linker gives them the replacement only when that carries the
     * same soname, and two copies of the library in one process must never meet.
     */
    private static LibraryProbe checkedReplacement(NativeLibrary library, String path, SymbolLookup symbols) {
        String witness = requiredSymbols(library).iterator().next();
        Optional<MemorySegment> bySoname = bySoname(library, witness);
        if (bySoname.equals(symbols.find(witness))) {
            return new LibraryProbe(symbols, null);
        }
        return failed("The library that -D" + library.property() + " names, " + path + ", does not carry the soname "
                + library.soname() + ". Link it with -Wl,-soname," + library.soname() + ", or unset the property.");
    }

    private static Optional<MemorySegment> bySoname(NativeLibrary library, String name) {
        try {
            return open(library.soname()).find(name);
        } catch (IllegalArgumentException notOpened) {
            return Optional.empty();
        }
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup open(String name) {
        return SymbolLookup.libraryLookup(name, Arena.global());
    }

    private static Set<String> missingSymbols(NativeLibrary library, SymbolLookup symbols) {
        return requiredSymbols(library).stream()
                .filter(name -> symbols.find(name).isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** All functions of the symbol list but the optional ones; reading the class does not initialise it. */
    private static Set<String> requiredSymbols(NativeLibrary library) {
        Class<?> functions;
        try {
            functions = Class.forName(library.functionsClass(), false, LibraryProbe.class.getClassLoader());
        } catch (ClassNotFoundException impossible) {
            throw new AssertionError("the generated functions of " + library + " are not in this build", impossible);
        }
        return Arrays.stream(functions.getMethods())
                .map(Method::getName)
                .filter(name -> name.endsWith(HANDLE_SUFFIX))
                .map(name -> name.substring(0, name.length() - HANDLE_SUFFIX.length()))
                .filter(name -> !library.optionalSymbols().contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String notOpened(NativeLibrary library, String path) {
        if (path == null) {
            return library.soname() + " cannot be opened: it is not installed, or the dynamic linker does not find it."
                    + " Install " + library.packages() + ", or name the file with -D" + library.property() + "=PATH.";
        }
        return "The library that -D" + library.property() + " names cannot be opened: " + path
                + ". Give the absolute path of a " + library.soname() + " for this processor, or unset the property.";
    }

    private static LibraryProbe failed(String problem) {
        return new LibraryProbe(null, problem);
    }
}
