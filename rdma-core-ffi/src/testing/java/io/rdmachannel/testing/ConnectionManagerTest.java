// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An {@link RdmaTest} that uses the connection manager, whose library keeps a device open once it has used it: this is
 * done before the first look at the resources.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ConnectionManagerWarmUp.class)
@RdmaTest
public @interface ConnectionManagerTest {}
