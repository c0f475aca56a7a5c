// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A structure or union with its generated class, and what that class states about it. */
final class CStruct {
    private static final String OFFSET = "$offset";
    private static final String LAYOUT = "$layout";

    private final Class<?> generated;
    private final String cName;
    private final Growth growth;
    private final GroupLayout layout;
    private final List<Fact> facts = new ArrayList<>();

    private CStruct(Class<?> generated, String cName) {
        this.generated = generated;
        this.cName = cName;
        this.growth = Growth.of(generated.getSimpleName());
        this.layout = GeneratedClass.layout(generated);
    }

    /** States what {@code generated}, the class of the C type {@code cName}, says, closed types only as a whole. */
    static List<Fact> facts(Class<?> generated, String cName, Set<MemoryLayout> closed) {
        CStruct struct = new CStruct(generated, cName);
        struct.addWhole();
        if (!closed.contains(struct.layout.withoutName())) {
            LayoutWalker.members(struct.layout, closed).forEach(struct::addMember);
            struct.addAccessors(generated, "");
        }
        return struct.facts;
    }

    private void addWhole() {
        String subject = generated.getSimpleName() + ".layout()";
        facts.add(new Fact(subject, "sizeof(" + cName + ")", layout.byteSize(), growth != Growth.NONE));
        facts.add(Fact.exact(subject, "_Alignof(" + cName + ")", layout.byteAlignment()));
    }

    private void addMember(Member member) {
        String subject = generated.getSimpleName() + ".layout(), " + member.path();
        facts.add(offset(subject, member.path(), member.offset()));
        facts.add(Fact.exact(subject, sizeOf(member.path()), member.size()));
    }

    /** The methods that other code calls; those of a class for a nested structure count from where that one starts. */
    private void addAccessors(Class<?> declaring, String base) {
        for (Method method : GeneratedClass.accessors(declaring, OFFSET)) {
            facts.add(accessorOffset(method, base));
        }
        for (Method method : GeneratedClass.accessors(declaring, LAYOUT)) {
            MemoryLayout member = (MemoryLayout) GeneratedClass.call(method);
            facts.add(
                    Fact.exact(GeneratedClass.subject(method), sizeOf(path(method, LAYOUT, base)), member.byteSize()));
        }
        for (Class<?> nested : GeneratedClass.nestedStructs(declaring)) {
            String path = base + nested.getSimpleName();
            long size = GeneratedClass.layout(nested).byteSize();
            facts.add(Fact.exact(nested.getName() + ".layout()", sizeOf(path), size));
            addAccessors(nested, path + ".");
        }
    }

    private Fact accessorOffset(Method method, String base) {
        long value = (long) GeneratedClass.call(method);
        String path = path(method, OFFSET, base);
        String subject = GeneratedClass.subject(method);
        if (base.isEmpty()) {
            return offset(subject, path, value);
        }
        String start = base.substring(0, base.length() - 1);
        return Fact.exact(subject, offsetOf(path) + " - " + offsetOf(start), value);
    }

    private Fact offset(String subject, String path, long value) {
        if (growth != Growth.AT_FRONT) {
            return Fact.exact(subject, offsetOf(path), value);
        }
        long anchor = layout.byteOffset(MemoryLayout.PathElement.groupElement(Growth.ANCHOR));
        return Fact.exact(subject, offsetOf(path) + " - " + offsetOf(Growth.ANCHOR), value - anchor);
    }

    private static String path(Method method, String suffix, String base) {
        return base + method.getName().substring(0, method.getName().length() - suffix.length());
    }

    private String offsetOf(String path) {
        return "offsetof(" + cName + ", " + path + ")";
    }

    private String sizeOf(String path) {
        return "SIZEOF(" + cName + ", " + path + ")";
    }
}
