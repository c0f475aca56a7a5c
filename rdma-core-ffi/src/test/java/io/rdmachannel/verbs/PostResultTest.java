// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.ffi.generated.libc.libc;
import org.junit.jupiter.api.Test;

class PostResultTest {
    @Test
    void shouldCallAFullQueueByTheErrnoThatProvidersReturn() {
        assertThat(PostResult.QUEUE_FULL).isEqualTo(libc.ENOMEM());
        assertThat(PostResult.describe(libc.ENOMEM())).contains("ENOMEM (12)", "poll the completion queue");
    }

    @Test
    void shouldNameTheErrnoOfARefusal() {
        assertThat(PostResult.describe(libc.EINVAL())).contains("EINVAL (22)", "state of the queue pair");
        assertThat(PostResult.describe(PostResult.POSTED)).isEqualTo("posted");
    }
}
