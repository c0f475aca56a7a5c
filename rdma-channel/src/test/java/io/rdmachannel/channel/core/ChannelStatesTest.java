// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.ChannelState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChannelStatesTest {
    private final List<ChannelState> told = new ArrayList<>();

    @Test
    void shouldTellEachMoveOnce() {
        ChannelStates states = new ChannelStates((before, now) -> told.add(now));
        assertThat(states.now()).isEqualTo(ChannelState.CONNECTING);
        long began = states.sinceNanos();
        states.move(ChannelState.CONNECTED);
        states.move(ChannelState.CLOSING);
        states.move(ChannelState.CLOSED);
        assertThat(told).containsExactly(ChannelState.CONNECTED, ChannelState.CLOSING, ChannelState.CLOSED);
        assertThat(states.sinceNanos() - began).isNotNegative();
    }

    @Test
    void shouldRefuseMovesThatAreNotInTheTable() {
        for (ChannelState from : ChannelState.values()) {
            for (ChannelState to : ChannelState.values()) {
                if (!from.successors().contains(to)) {
                    ChannelStates states = at(from);
                    assertThatThrownBy(() -> states.move(to))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessage("a channel cannot go from " + from + " to " + to);
                }
            }
        }
    }

    @Test
    void shouldAlwaysBeAbleToEnd() {
        for (ChannelState state : ChannelState.values()) {
            assertThat(state.successors().isEmpty()).isEqualTo(state == ChannelState.CLOSED);
            boolean mayFail = state.successors().contains(ChannelState.FAILED);
            assertThat(mayFail).isEqualTo(!state.isOver());
        }
    }

    private static ChannelStates at(ChannelState wanted) {
        ChannelStates states = new ChannelStates((before, now) -> {});
        List<ChannelState> way = switch (wanted) {
            case CONNECTING -> List.of();
            case CONNECTED, CLOSING, FAILED -> List.of(wanted);
            case DEGRADED, RECOVERING -> List.of(ChannelState.CONNECTED, wanted);
            case CLOSED -> List.of(ChannelState.CLOSING, wanted);
        };
        way.forEach(states::move);
        return states;
    }
}
