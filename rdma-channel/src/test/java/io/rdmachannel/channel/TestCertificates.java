// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.testing.Shell;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates that sign themselves, made by the JDK's keytool, and contexts with them. */
public final class TestCertificates {
    public static final String HERE = "san=dns:localhost,ip:127.0.0.1";
    public static final String ELSEWHERE = "san=dns:elsewhere.example";

    private static final char[] PASSWORD = "of the tests".toCharArray();

    private final Path folder;

    public TestCertificates(Path folder) {
        this.folder = folder;
    }

    /** Makes a key with a certificate of the same name. */
    public TestCertificates make(String name, String extension) {
        return make(name, "CN=" + name, extension);
    }

    /** Makes a key with a certificate of another name. */
    public TestCertificates make(String name, String subject, String extension) {
        Shell.run(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                file(name).toString(),
                "-storepass",
                new String(PASSWORD),
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                subject,
                "-ext",
                extension,
                "-validity",
                "2");
        return this;
    }

    /**
     * Makes a context.
     *
     * @param own whose key it has; null for none
     * @param trusted whom it trusts
     */
    public SSLContext context(String own, String... trusted) throws GeneralSecurityException, IOException {
        KeyManager[] keys = null;
        if (own != null) {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(load(own), PASSWORD);
            keys = factory.getKeyManagers();
        }
        KeyStore all = KeyStore.getInstance("PKCS12");
        all.load(null, null);
        for (String name : trusted) {
            all.setCertificateEntry(name, load(name).getCertificate(name));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(all);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), null);
        return context;
    }

    private KeyStore load(String name) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(file(name))) {
            store.load(stream, PASSWORD);
        }
        return store;
    }

    private Path file(String name) {
        return folder.resolve(name + ".p12");
    }
}
