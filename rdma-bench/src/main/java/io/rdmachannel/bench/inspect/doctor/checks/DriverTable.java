// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import java.util.List;
import java.util.Optional;

/** Which kernel modules and which provider of libibverbs belong together. */
final class DriverTable {
    private static final List<Row> ROWS = List.of(
            new Row("mlx5_core", "mlx5_ib", "mlx5"),
            new Row("mlx4_core", "mlx4_ib", "mlx4"),
            new Row("bnxt_en", "bnxt_re", "bnxt_re"),
            new Row("ice", "irdma", "irdma"),
            new Row("i40e", "irdma", "irdma"),
            new Row("mana", "mana_ib", "mana"),
            new Row("cxgb4", "iw_cxgb4", "cxgb4"),
            new Row("qede", "qedr", "qedr"),
            new Row("efa", "efa", "efa"),
            new Row("erdma", "erdma", "erdma"),
            new Row("hfi1", "hfi1", "hfi1verbs"),
            new Row("hns3", "hns_roce_hw_v2", "hns"),
            new Row("vmw_pvrdma", "vmw_pvrdma", "vmw_pvrdma"),
            new Row("rdma_rxe", "rdma_rxe", "rxe"),
            new Row("siw", "siw", "siw"));

    private DriverTable() {}

    /**
     * A family of adapters.
     *
     * @param adapterModule the driver of the adapter
     * @param rdmaModule the module that makes RDMA devices of it, which may be the same
     * @param provider the name of the provider
     */
    record Row(String adapterModule, String rdmaModule, String provider) {}

    static List<Row> rows() {
        return ROWS;
    }

    /** By the driver that sysfs names, which is either of the two modules. */
    static Optional<Row> of(String driver) {
        return ROWS.stream()
                .filter(row ->
                        row.adapterModule().equals(driver) || row.rdmaModule().equals(driver))
                .findFirst();
    }
}
