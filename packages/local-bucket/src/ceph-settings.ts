export interface CephLocation {
  readonly cluster: string;
  readonly address: string;
  readonly folder: string;
}

/** One copy of everything, in memory, and no waiting for others to propose a change at the same time. */
export function cephSettings({ cluster, address, folder }: CephLocation): string {
  const settings: Readonly<Record<string, string>> = {
    fsid: cluster,
    mon_host: `[v2:${address}:3300/0]`,
    mon_initial_members: 'a',
    public_addr: address,
    // The gateway does not connect without.
    auth_cluster_required: 'cephx',
    auth_service_required: 'cephx',
    auth_client_required: 'cephx',
    keyring: `${folder}/keyring`,
    run_dir: `${folder}/run`,
    admin_socket: '',
    log_file: '',
    log_to_stderr: 'true',
    mon_data: `${folder}/mon`,
    mon_allow_pool_size_one: 'true',
    mon_max_pg_per_osd: '1000',
    // A new pool is a change of the map; a second each is most of the start.
    paxos_propose_interval: '0.02',
    paxos_min_wait: '0.01',
    osd_data: `${folder}/osd`,
    osd_objectstore: 'memstore',
    memstore_device_bytes: String(14 * 1024 ** 3),
    osd_pool_default_size: '1',
    osd_pool_default_min_size: '1',
    osd_pool_default_pg_num: '1',
    osd_pool_default_pgp_num: '1',
    osd_crush_chooseleaf_type: '0',
    rgw_data: `${folder}/rgw`,
    rgw_rados_pool_pg_num_min: '1',
    // What is deleted would stay in memory for two hours.
    rgw_gc_obj_min_wait: '1',
    rgw_gc_processor_period: '5',
    // One that is killed while it completes an upload would keep others from it for ten minutes.
    rgw_mp_lock_max_time: '10',
    rgw_frontends: `beast endpoint=${address}:7480`,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return `[global]\n${lines.join('\n')}\n`;
}
