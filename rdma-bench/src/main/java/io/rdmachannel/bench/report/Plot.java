// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import org.jfree.chart.JFreeChart;

/**
 * A plot of the page.
 *
 * @param id of its element
 * @param title a few words, for the heading and for those who do not see it
 * @param caption what it shows and how to read it
 * @param chart the drawing
 */
record Plot(String id, String title, String caption, JFreeChart chart) {}
