// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * How the control connection is secured by TLS. The connecting side checks the listener's certificate, and that it is
 * made out to the host name or address that was asked for; the listener checks certificates if it wants them.
 * Immutable; any thread.
 */
public final class TlsConfig {
    private final SSLContext context;
    private final boolean clientCertificates;
    private final Consumer<SSLParameters> change;

    private TlsConfig(SSLContext context, boolean clientCertificates, Consumer<SSLParameters> change) {
        this.context = Objects.requireNonNull(context, "context");
        this.clientCertificates = clientCertificates;
        this.change = Objects.requireNonNull(change, "change");
    }

    /**
     * TLS with the keys and the trust of a context, and its protocols and cipher suites. A listener wants no
     * certificates.
     *
     * @param context initialised; a listener's has a key, a connecting side's trusts the certificates of listeners
     * @return the configuration
     */
    public static TlsConfig of(SSLContext context) {
        return new TlsConfig(context, false, unchanged -> {});
    }

    /**
     * Lets a listener refuse whoever shows no certificate that its context trusts (mutual TLS). Of no effect on the
     * connecting side, which shows what it has when it is asked.
     *
     * @return a changed copy
     */
    public TlsConfig withClientCertificates() {
        return new TlsConfig(context, true, change);
    }

    /**
     * Changes anything else: protocols, cipher suites, names. A connecting side that must not check to whom a
     * certificate is made out calls {@code setEndpointIdentificationAlgorithm(null)}; then any listener with a trusted
     * certificate is as good as the right one.
     *
     * @param parametersChange is given, for each connection, parameters that are already set as this configuration
     *     says; in the thread of a handshake
     * @return a changed copy
     */
    public TlsConfig withParameters(Consumer<SSLParameters> parametersChange) {
        return new TlsConfig(context, clientCertificates, parametersChange);
    }

    /**
     * Gives the context.
     *
     * @return as it was given
     */
    public SSLContext context() {
        return context;
    }

    /**
     * Gives what holds for a connection that this side opens.
     *
     * @return new parameters
     */
    public SSLParameters connectingParameters() {
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        change.accept(parameters);
        return parameters;
    }

    /**
     * Gives what holds for a connection that a listener accepts.
     *
     * @return new parameters
     */
    public SSLParameters acceptingParameters() {
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setNeedClientAuth(clientCertificates);
        change.accept(parameters);
        return parameters;
    }

    @Override
    public String toString() {
        return clientCertificates ? "TLS with client certificates" : "TLS";
    }
}
