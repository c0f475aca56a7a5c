// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.roundtrip;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/** Netty, with its native epoll transport and one event loop a side. */
final class NettyEcho {
    private NettyEcho() {}

    /** Echoes. */
    static final class Server implements EchoServer {
        private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        private final CompletableFuture<Void> ended = new CompletableFuture<>();

        @Override
        public int bind() throws InterruptedException {
            Channel listener = new ServerBootstrap()
                    .group(group)
                    .channel(EpollServerSocketChannel.class)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childHandler(initializer(new Echo(ended)))
                    .bind(InetAddress.getLoopbackAddress(), 0)
                    .sync()
                    .channel();
            return ((InetSocketAddress) listener.localAddress()).getPort();
        }

        @Override
        public void serve() throws Exception {
            ended.get();
            group.shutdownGracefully().sync();
        }
    }

    /** Asks. */
    static final class Client implements EchoClient {
        @Override
        public Histogram run(int port, RoundTripPlan plan) throws Exception {
            EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
            try {
                Asking asking = new Asking(plan);
                new Bootstrap()
                        .group(group)
                        .channel(EpollSocketChannel.class)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .handler(initializer(asking))
                        .connect(InetAddress.getLoopbackAddress(), port)
                        .sync();
                return asking.result.get();
            } finally {
                group.shutdownGracefully().sync();
            }
        }
    }

    private static ChannelHandler initializer(ChannelHandler handler) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(handler);
            }
        };
    }

    /** Sends back what comes. */
    private static final class Echo extends ChannelInboundHandlerAdapter {
        private final CompletableFuture<Void> ended;

        Echo(CompletableFuture<Void> ended) {
            this.ended = ended;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message, context.voidPromise());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            ended.complete(null);
        }
    }

    /** Sends the next one when all of the last one is back. */
    private static final class Asking extends ChannelInboundHandlerAdapter {
        private final CompletableFuture<Histogram> result = new CompletableFuture<>();
        private final Histogram histogram = new Histogram(3);
        private final RoundTripPlan plan;
        private long begin;
        private int missing;
        private int done;

        Asking(RoundTripPlan plan) {
            this.plan = plan;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            ask(context);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            missing -= bytes.readableBytes();
            bytes.release();
            if (missing > 0) {
                return;
            }
            if (done >= plan.warmUp()) {
                histogram.recordValue(System.nanoTime() - begin);
            }
            done++;
            if (done < plan.all()) {
                ask(context);
            } else {
                context.close();
                result.complete(histogram);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            result.completeExceptionally(new IllegalStateException("the server has ended"));
        }

        private void ask(ChannelHandlerContext context) {
            missing = plan.bytes();
            begin = System.nanoTime();
            context.writeAndFlush(
                    context.alloc().directBuffer(plan.bytes()).writerIndex(plan.bytes()), context.voidPromise());
        }
    }
}
