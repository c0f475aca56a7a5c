// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The generated classes of one library, and all facts that they state. */
final class GeneratedPackage {
    private static final String SOURCES = "rdma-core-ffi/src/generated/java/";
    private static final String SUFFIX = ".java";

    private final ProbedLibrary library;
    private final SymbolList symbols;
    private final List<Path> sources;
    private final SortedMap<String, Class<?>> structs = new TreeMap<>();

    private GeneratedPackage(ProbedLibrary library, SymbolList symbols, List<Path> sources) {
        this.library = library;
        this.symbols = symbols;
        this.sources = sources;
        sources.stream()
                .map(source -> source.getFileName().toString())
                .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                .map(name -> GeneratedClass.named(library.javaPackage() + "." + name))
                .filter(GeneratedClass::isStruct)
                .forEach(struct -> structs.put(struct.getSimpleName(), struct));
    }

    static GeneratedPackage of(Path root, ProbedLibrary library) throws IOException {
        Path folder = root.resolve(SOURCES + library.javaPackage().replace('.', '/'));
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> sources = files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
            return new GeneratedPackage(library, SymbolList.of(root, library), sources);
        }
    }

    List<Path> sources() {
        return sources;
    }

    SymbolList symbols() {
        return symbols;
    }

    Set<String> structNames() {
        return structs.keySet();
    }

    Set<String> constantNames() {
        return constants().stream().map(Method::getName).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Functions with a handle, and the variadic ones, which have a class that makes handles. */
    Set<String> functionNames() {
        String suffix = "$handle";
        Class<?> functions = GeneratedClass.named(library.functionsClass());
        Stream<String> fixed = GeneratedClass.accessors(functions, suffix).stream()
                .map(method -> method.getName().replace(suffix, ""));
        Stream<String> variadic = Arrays.stream(functions.getClasses()).map(Class::getSimpleName);
        return Stream.concat(fixed, variadic).collect(Collectors.toCollection(TreeSet::new));
    }

    List<Fact> facts() {
        List<Fact> facts = new ArrayList<>();
        Set<MemoryLayout> closed = closedLayouts();
        structs.forEach((name, struct) -> {
            if (!OpaqueTypes.INSIDES.contains(name)) {
                facts.addAll(CStruct.facts(struct, cName(name), closed));
            }
        });
        constants().forEach(constant -> facts.add(fact(constant)));
        return facts;
    }

    private Set<MemoryLayout> closedLayouts() {
        return structs.values().stream()
                .filter(struct -> OpaqueTypes.CLOSED.contains(struct.getSimpleName()))
                .map(struct -> GeneratedClass.layout(struct).withoutName())
                .collect(Collectors.toSet());
    }

    private String cName(String struct) {
        String name = symbols.types().get(struct);
        if (name == null) {
            throw new AssertionError("a generated structure that no symbol list of " + library + " has: " + struct);
        }
        return name;
    }

    private List<Method> constants() {
        return GeneratedClass.constants(GeneratedClass.named(library.constantsClass())).stream()
                .filter(method -> !symbols.functions().contains(method.getName()))
                .toList();
    }

    private static Fact fact(Method constant) {
        if (GeneratedClass.call(constant) instanceof Number value) {
            return Fact.exact(GeneratedClass.subject(constant), constant.getName(), value.longValue());
        }
        throw new AssertionError("a constant that is no number, which the layout probe cannot compare: " + constant);
    }
}
