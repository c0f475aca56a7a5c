// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class that needs a real RDMA device. Without one it is skipped with a reason, or fails where the environment
 * variable {@code RDMA_LAB} is 1; afterwards the device and the process must hold what they held before.
 *
 * <p>The time limit is a last resort for a hang: every wait has a deadline of its own.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("rdma")
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(RdmaResources.class)
public @interface RdmaTest {}
