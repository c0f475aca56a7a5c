// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.lang.foreign.GroupLayout;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Reads jextract's classes by reflection. */
final class GeneratedClass {
    private GeneratedClass() {}

    /** Finds a class without initialising it, since the initialiser of a functions class opens its library. */
    static Class<?> named(String name) {
        try {
            return Class.forName(name, false, GeneratedClass.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError("a generated source file without its class: " + name, e);
        }
    }

    static boolean isStruct(Class<?> type) {
        return constantMethods(type)
                .anyMatch(method -> method.getName().equals("layout") && method.getReturnType() == GroupLayout.class);
    }

    static GroupLayout layout(Class<?> struct) {
        try {
            return (GroupLayout) call(struct.getDeclaredMethod("layout"));
        } catch (NoSuchMethodException e) {
            throw new AssertionError("not the class of a structure: " + struct, e);
        }
    }

    static List<Class<?>> nestedStructs(Class<?> type) {
        return Arrays.stream(type.getDeclaredClasses())
                .filter(GeneratedClass::isStruct)
                .sorted(Comparator.comparing(Class::getName))
                .toList();
    }

    static List<Method> accessors(Class<?> struct, String suffix) {
        return constantMethods(struct)
                .filter(method -> method.getName().endsWith(suffix))
                .toList();
    }

    /** The accessors of C constants; the other methods without parameters have a dollar sign in their names. */
    static List<Method> constants(Class<?> header) {
        return constantMethods(header)
                .filter(method -> method.getName().indexOf('$') < 0)
                .toList();
    }

    static Object call(Method method) {
        try {
            return method.invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("cannot call " + subject(method), e);
        }
    }

    static String subject(Method method) {
        String owner = method.getDeclaringClass().getName();
        return owner.substring(owner.lastIndexOf('.') + 1).replace('$', '.') + "." + method.getName() + "()";
    }

    private static Stream<Method> constantMethods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getParameterCount() == 0)
                .sorted(Comparator.comparing(Method::getName));
    }
}
