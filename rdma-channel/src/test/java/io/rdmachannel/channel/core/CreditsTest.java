// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.protocol.ProtocolException;
import org.junit.jupiter.api.Test;

class CreditsTest {
    private final Credits credits = new Credits(16, 10, 10);

    @Test
    void shouldLeaveTheLastReceivesToNotices() {
        int messages = 0;
        while (credits.canSendMessage()) {
            credits.use();
            messages++;
        }
        assertThat(messages).isEqualTo(10 - Credits.RESERVE);
        int notices = 0;
        while (credits.canSendNotice()) {
            credits.use();
            notices++;
        }
        assertThat(notices).isEqualTo(Credits.RESERVE);
    }

    @Test
    void shouldSendAgainWhenThePeerHasPostedReceives() {
        for (int i = 0; i < 10; i++) {
            credits.use();
        }
        credits.peerGranted(15);
        assertThat(credits.canSendMessage()).isTrue();
        // An older frame, which was overtaken in the count only.
        credits.peerGranted(12);
        assertThat(credits.canSendMessage()).isTrue();
    }

    @Test
    void shouldNotBelieveMoreReceivesThanThePeerHas() {
        credits.use();
        credits.peerGranted(11);
        assertThatThrownBy(() -> credits.peerGranted(12)).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> credits.peerGranted(-1)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldReportWhenAQuarterOfItsReceivesHasBeenUsed() {
        for (int i = 0; i < 3; i++) {
            credits.handledOne(true);
            credits.supplied(1);
        }
        assertThat(credits.isReportDue()).isFalse();
        assertThat(credits.hasNews()).isTrue();
        credits.handledOne(true);
        assertThat(credits.isReportDue()).isTrue();
        credits.reported();
        assertThat(credits.isReportDue()).isFalse();
        assertThat(credits.hasNews()).isFalse();
        assertThat(credits.handled()).isEqualTo(4);
    }

    @Test
    void shouldNotAnswerAMereAcknowledgement() {
        credits.supplied(1);
        assertThat(credits.hasNews()).isFalse();
        assertThat(credits.isReportDue()).isFalse();
        assertThat(credits.granted()).isEqualTo(17);
    }

    @Test
    void shouldAnswerMereAcknowledgementsManyAtATime() {
        for (int i = 0; i < 7; i++) {
            credits.heardOne();
            credits.supplied(1);
        }
        assertThat(credits.isReportDue()).isFalse();
        credits.heardOne();
        assertThat(credits.isReportDue()).isTrue();
        credits.reported();
        assertThat(credits.isReportDue()).isFalse();
    }

    /** Else a peer that has used its credit up would wait for ever. */
    @Test
    void shouldTellOfAReceiveThatTookThePlaceOfAKeptOne() {
        credits.handledOne(true);
        credits.supplied(0);
        credits.reported();
        assertThat(credits.hasNews()).isFalse();
        credits.replaced(1);
        assertThat(credits.hasNews()).isTrue();
        assertThat(credits.granted()).isEqualTo(17);
    }

    @Test
    void shouldRefuseAPeerThatSendsMoreThanItsCredit() {
        for (int i = 0; i < 16; i++) {
            credits.arrived();
        }
        credits.supplied(1);
        credits.arrived();
        assertThatThrownBy(credits::arrived).isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldReportSoonerWhenThePeerCanCountOnFewerReceives() {
        for (int i = 0; i < 2; i++) {
            credits.handledOne(true);
            credits.supplied(0);
        }
        for (int i = 0; i < 7; i++) {
            credits.supplied(0);
        }
        assertThat(credits.isReportDue()).isTrue();
    }
}
