// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class that runs on the {@linkplain LoopbackVerbs stand-in}, in a process of its own (see the execution
 * {@code loopback-test} of Surefire). After each test every fault is taken back, and the stand-in must hold what it held
 * before. The time limit is the class's own: what belongs to a thread cannot be tested in another one.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag(LoopbackTest.TAG)
@ExtendWith(LoopbackResources.class)
public @interface LoopbackTest {
    /** By which the build tells these tests from others. */
    String TAG = "loopback";
}
