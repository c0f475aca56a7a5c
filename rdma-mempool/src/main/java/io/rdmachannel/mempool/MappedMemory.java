// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.Libc;
import io.rdmachannel.ffi.MemoryConstants;
import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** One anonymous mapping: made of the wanted pages, bound, zeroed, locked, and at the end unmapped. */
final class MappedMemory implements SlabMemory {
    private static final long PAGE_BYTES = Libc.sysconf(MemoryConstants.SC_PAGESIZE);
    private static final int PROTECTION = MemoryConstants.PROT_READ | MemoryConstants.PROT_WRITE;
    private static final int ANONYMOUS = MemoryConstants.MAP_PRIVATE | MemoryConstants.MAP_ANONYMOUS;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;
    private final MemorySegment mapping;
    private final List<String> notes = new ArrayList<>();
    private final long pageBytes;
    private final Placement placement;
    private boolean unmapped;

    private MappedMemory(PoolConfig config, long bytes) {
        MemorySegment huge = config.hugePages().isExplicit() ? mapHuge(config.hugePages(), bytes) : null;
        this.pageBytes = huge == null ? PAGE_BYTES : config.hugePages().pageBytes(PAGE_BYTES);
        this.mapping = huge == null ? mapOrdinary(bytes) : huge;
        this.segment = Pointers.view(mapping, bytes, arena);
        try {
            this.placement = place(config);
        } catch (RuntimeException | Error failed) {
            free();
            throw failed;
        }
    }

    /**
     * Maps memory.
     *
     * @param config the wishes
     * @param bytes how much; a multiple of the page size
     * @throws MemoryLimitException if it cannot be locked and must be
     * @throws VerbsException if the kernel has no such memory
     */
    static MappedMemory map(PoolConfig config, long bytes) {
        return new MappedMemory(config, bytes);
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public Placement placement() {
        return placement;
    }

    @Override
    public void free() {
        if (unmapped) {
            return;
        }
        if (arena.scope().isAlive()) {
            arena.close();
        }
        if (Libc.munmap(mapping, segment.byteSize()) != 0) {
            throw refused("munmap", segment.byteSize(), "");
        }
        unmapped = true;
    }

    private Placement place(PoolConfig config) {
        advise(config.hugePages());
        int node = bind(config.numaNode());
        Prefault.run(segment, pageBytes, config.prefaultThreads(), node);
        boolean locked = lock(config.locking());
        return new Placement(pageBytes, node, locked, notes);
    }

    private MemorySegment mapHuge(HugePages pages, long bytes) {
        // Mapping reserves the pages; without enough of them it fails here and not at the first touch.
        int size = pages.sizeExponent() << MemoryConstants.MAP_HUGE_SHIFT;
        MemorySegment mapped =
                Libc.mmap(MemorySegment.NULL, bytes, PROTECTION, ANONYMOUS | MemoryConstants.MAP_HUGETLB | size, -1, 0);
        if (mapped.address() != -1) {
            return mapped;
        }
        long page = 1L << pages.sizeExponent();
        notes.add("ordinary pages instead of huge ones of " + Bytes.text(page) + ": mmap failed with "
                + Errno.describe(Errno.captured()) + "; " + Math.ceilDiv(bytes, page)
                + " free ones are needed, reserve them with /sys/kernel/mm/hugepages/hugepages-" + page / 1024
                + "kB/nr_hugepages");
        return null;
    }

    private static MemorySegment mapOrdinary(long bytes) {
        MemorySegment mapped = Libc.mmap(MemorySegment.NULL, bytes, PROTECTION, ANONYMOUS, -1, 0);
        if (mapped.address() == -1) {
            throw refused("mmap", bytes, "The machine, or the memory limit of the container, has no room for it.");
        }
        return mapped;
    }

    private void advise(HugePages pages) {
        if (!pages.isExplicit()) {
            boolean wanted = pages == HugePages.TRANSPARENT;
            int advice = wanted ? MemoryConstants.MADV_HUGEPAGE : MemoryConstants.MADV_NOHUGEPAGE;
            int result = Libc.madvise(segment, segment.byteSize(), advice);
            if (result != 0 && wanted) {
                notes.add("no transparent huge pages: madvise failed with " + Errno.describe(Errno.captured()));
            }
        }
        // A child process would share the pages copy-on-write, and the parent could lose those that the adapter knows.
        if (Libc.madvise(segment, segment.byteSize(), MemoryConstants.MADV_DONTFORK) != 0) {
            notes.add("visible to child processes: madvise failed with " + Errno.describe(Errno.captured()));
        }
    }

    private int bind(int node) {
        if (node == NumaNodes.NONE) {
            return node;
        }
        return NumaNodes.bind(segment, node)
                .map(problem -> {
                    notes.add(problem);
                    return NumaNodes.NONE;
                })
                .orElse(node);
    }

    private boolean lock(MemoryLocking locking) {
        if (locking == MemoryLocking.NONE) {
            return false;
        }
        long bytes = segment.byteSize();
        LockedMemory before = LockedMemory.read();
        RuntimeException refusal = null;
        if (before.roomToLock() < bytes) {
            refusal = before.refusalToLock(bytes);
        } else if (Libc.mlock(segment, bytes) != 0) {
            refusal = refused("mlock", bytes, "");
        }
        if (refusal != null && locking == MemoryLocking.REQUIRED) {
            throw refusal;
        }
        if (refusal != null) {
            notes.add("not locked: " + refusal.getMessage());
        }
        return refusal == null;
    }

    private static VerbsException refused(String call, long bytes, String remedy) {
        return new VerbsException(call, Errno.captured(), "a slab of " + Bytes.text(bytes), remedy);
    }
}
