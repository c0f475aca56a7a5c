// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No constant of the header, as far as it was generated, is without its counterpart, and none stands twice. */
class GeneratedConstantsTest {
    @Test
    void asyncEventsAreComplete() {
        requireComplete("IBV_EVENT_", AsyncEventType.values(), AsyncEventType::raw, AsyncEventType::of);
    }

    @Test
    void nodeTypesAreComplete() {
        requireComplete("IBV_NODE_", NodeType.values(), NodeType::raw, NodeType::of);
    }

    @Test
    void transportTypesAreComplete() {
        requireComplete("IBV_TRANSPORT_", TransportType.values(), TransportType::raw, TransportType::of);
    }

    @Test
    void portStatesAreComplete() {
        requireComplete("IBV_PORT_", PortState.values(), PortState::raw, PortState::of);
    }

    @Test
    void linkLayersAreComplete() {
        requireComplete("IBV_LINK_LAYER_", LinkLayer.values(), LinkLayer::raw, LinkLayer::of);
    }

    @Test
    void gidTypesAreComplete() {
        requireComplete("IBV_GID_TYPE_", GidType.values(), GidType::raw, GidType::of);
    }

    @Test
    void atomicCapabilitiesAreComplete() {
        requireComplete("IBV_ATOMIC_", AtomicCapability.values(), AtomicCapability::raw, AtomicCapability::of);
    }

    @Test
    void queuePairStatesAreComplete() {
        requireComplete("IBV_QPS_", QueuePairState.values(), QueuePairState::raw, QueuePairState::of);
    }

    @Test
    void queuePairAttributesAreComplete() {
        requireComplete("IBV_QP_", QueuePairAttribute.values(), QueuePairAttribute::bit);
    }

    @Test
    void sendFlagsAreComplete() {
        requireComplete("IBV_SEND_", SendFlag.values(), SendFlag::bit);
    }

    @Test
    void memoryWindowTypesAreComplete() {
        requireComplete("IBV_MW_TYPE_", MemoryWindowType.values(), MemoryWindowType::raw);
    }

    @Test
    void deviceCapabilitiesAreComplete() {
        requireComplete("IBV_DEVICE_", DeviceCapability.values(), DeviceCapability::bit);
    }

    @Test
    void accessFlagsAreComplete() {
        Map<String, Integer> constants = constants("IBV_ACCESS_");
        constants.keySet().removeAll(Set.of("IBV_ACCESS_OPTIONAL_RANGE", "IBV_ACCESS_OPTIONAL_FIRST"));
        requireSame(constants, AccessFlag.values(), AccessFlag::bit);
    }

    @Test
    void completionFlagsAreComplete() {
        int known = WorkCompletionFlag.bits(Set.of(WorkCompletionFlag.values()));
        assertThat(known)
                .isEqualTo(ibverbs_constants.IBV_WC_GRH()
                        | ibverbs_constants.IBV_WC_WITH_IMM()
                        | ibverbs_constants.IBV_WC_IP_CSUM_OK()
                        | ibverbs_constants.IBV_WC_WITH_INV()
                        | ibverbs_constants.IBV_WC_TM_SYNC_REQ()
                        | ibverbs_constants.IBV_WC_TM_MATCH()
                        | ibverbs_constants.IBV_WC_TM_DATA_VALID());
    }

    @Test
    void sizesOfPacketsAreThoseOfTheirNames() {
        constants("IBV_MTU_").forEach((name, raw) -> {
            PathMtu mtu = PathMtu.of(raw);
            assertThat(name).isEqualTo("IBV_" + mtu.name());
            assertThat(mtu.raw()).isEqualTo(raw);
            assertThat(mtu.bytes()).isEqualTo(Integer.parseInt(name.substring("IBV_MTU_".length())));
        });
    }

    @Test
    void workRequestOpcodesAndTypesAreThoseOfTheHeader() {
        assertThat(WorkRequestOpcode.RDMA_WRITE.raw()).isEqualTo(ibverbs_constants.IBV_WR_RDMA_WRITE());
        assertThat(WorkRequestOpcode.SEND.raw()).isEqualTo(ibverbs_constants.IBV_WR_SEND());
        assertThat(WorkRequestOpcode.SEND_WITH_INVALIDATE.raw()).isEqualTo(ibverbs_constants.IBV_WR_SEND_WITH_INV());
        assertThat(distinct(WorkRequestOpcode.values(), WorkRequestOpcode::raw)).isEqualTo(10);
        assertThat(QueuePairType.RELIABLE_CONNECTION.raw()).isEqualTo(ibverbs_constants.IBV_QPT_RC());
        assertThat(QueuePairType.UNRELIABLE_CONNECTION.raw()).isEqualTo(ibverbs_constants.IBV_QPT_UC());
        assertThat(QueuePairType.UNRELIABLE_DATAGRAM.raw()).isEqualTo(ibverbs_constants.IBV_QPT_UD());
    }

    @Test
    void theRateOfThePortIsTheLargestOfTheHeader() {
        assertThat(AddressVector.PORT_RATE).isEqualTo(ibverbs_constants.IBV_RATE_MAX());
    }

    @Test
    void everyEventTellsWhatItIsAbout() {
        assertThat(AsyncEventType.values())
                .allSatisfy(type -> assertThat(type.scope() == AsyncEventType.Scope.UNKNOWN)
                        .isEqualTo(type == AsyncEventType.UNKNOWN));
        assertThat(AsyncEventType.COMPLETION_QUEUE_ERROR.scope()).isEqualTo(AsyncEventType.Scope.COMPLETION_QUEUE);
        assertThat(AsyncEventType.QUEUE_PAIR_LAST_WORK_REQUEST_REACHED.scope())
                .isEqualTo(AsyncEventType.Scope.QUEUE_PAIR);
        assertThat(AsyncEventType.SHARED_RECEIVE_QUEUE_LIMIT_REACHED.scope())
                .isEqualTo(AsyncEventType.Scope.SHARED_RECEIVE_QUEUE);
        assertThat(AsyncEventType.GID_CHANGE.scope()).isEqualTo(AsyncEventType.Scope.PORT);
        assertThat(AsyncEventType.DEVICE_FATAL.scope()).isEqualTo(AsyncEventType.Scope.DEVICE);
    }

    private static <E extends Enum<E>> void requireComplete(
            String prefix, E[] values, ToIntFunction<E> raw, IntFunction<E> of) {
        E unknown = values[values.length - 1];
        assertThat(unknown.name()).isEqualTo("UNKNOWN");
        constants(prefix).forEach((name, number) -> {
            E constant = of.apply(number);
            assertThat(constant == unknown).as(name).isEqualTo(name.endsWith("_UNKNOWN"));
            assertThat(raw.applyAsInt(constant)).as(name).isEqualTo(number);
        });
        assertThat(distinct(values, raw)).isEqualTo(values.length);
        IntStream.of(-2, 1000, Integer.MIN_VALUE, Integer.MAX_VALUE)
                .forEach(number -> assertThat(of.apply(number)).isSameAs(unknown));
    }

    private static <E extends Enum<E>> void requireComplete(String prefix, E[] values, ToIntFunction<E> raw) {
        requireSame(constants(prefix), values, raw);
    }

    private static <E extends Enum<E>> void requireSame(
            Map<String, Integer> constants, E[] values, ToIntFunction<E> raw) {
        assertThat(Stream.of(values).mapToInt(raw).boxed()).containsExactlyInAnyOrderElementsOf(constants.values());
    }

    private static <E> long distinct(E[] values, ToIntFunction<E> raw) {
        return Stream.of(values).mapToInt(raw).distinct().count();
    }

    private static Map<String, Integer> constants(String prefix) {
        Map<String, Integer> constants = new TreeMap<>();
        for (Method method : ibverbs_constants.class.getMethods()) {
            if (method.getName().startsWith(prefix) && method.getReturnType() == int.class) {
                constants.put(method.getName(), valueOf(method));
            }
        }
        assertThat(constants).as("constants with prefix " + prefix).isNotEmpty();
        return constants;
    }

    private static int valueOf(Method constant) {
        try {
            return (int) constant.invoke(null);
        } catch (ReflectiveOperationException failure) {
            throw new AssertionError(constant.getName(), failure);
        }
    }
}
