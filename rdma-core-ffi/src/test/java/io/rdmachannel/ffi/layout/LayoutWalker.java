// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Lists the members of a Java layout, those of its members included, with the paths that C gives them. */
final class LayoutWalker {
    private static final String ANONYMOUS = "$anon$";

    private final Set<MemoryLayout> closed;
    private final List<Member> members = new ArrayList<>();

    private LayoutWalker(Set<MemoryLayout> closed) {
        this.closed = closed;
    }

    /** Walks into everything but the {@code closed} layouts, which are given without names. */
    static List<Member> members(GroupLayout layout, Set<MemoryLayout> closed) {
        LayoutWalker walker = new LayoutWalker(closed);
        if (!closed.contains(layout.withoutName())) {
            walker.walk(layout, "", 0);
        }
        return walker.members;
    }

    private void walk(GroupLayout group, String prefix, long start) {
        long offset = start;
        for (MemoryLayout member : group.memberLayouts()) {
            if (!(member instanceof PaddingLayout)) {
                visit(member, prefix, offset);
            }
            offset += group instanceof StructLayout ? member.byteSize() : 0;
        }
    }

    private void visit(MemoryLayout member, String prefix, long offset) {
        String name = member.name().orElseThrow(() -> new AssertionError("a member without a name in " + member));
        if (name.startsWith(ANONYMOUS)) {
            walk((GroupLayout) member, prefix, offset);
        } else {
            add(member, prefix + name, offset);
        }
    }

    private void add(MemoryLayout layout, String path, long offset) {
        members.add(new Member(path, offset, layout.byteSize()));
        if (layout instanceof SequenceLayout sequence && sequence.elementCount() > 0) {
            add(sequence.elementLayout(), path + "[0]", offset);
        } else if (layout instanceof GroupLayout group && !closed.contains(group.withoutName())) {
            walk(group, path + ".", offset);
        }
    }
}
