import { join } from 'node:path'
import { iniText, type Sections } from './ini.ts'

/** The ports of all servers, by their names. `names` is designate's name server. */
export const portNames = [
  ...['keystone', 'neutron', 'nova', 'placement', 'glance', 'designate', 'names', 'octavia'],
  ...['swift', 'swift-account', 'swift-container', 'swift-object'],
] as const
export type CloudPorts = Readonly<Record<(typeof portNames)[number], number>>

export interface CloudPlace {
  /** Databases, configuration, images and objects. */
  readonly folder: string
  readonly ports: CloudPorts
  /** The folder `etc` of the Python environment. */
  readonly etc: string
  /** How long services believe a token without asking keystone. -1: not at all, so that a revoked one is refused at once. */
  readonly tokenCacheSeconds: number
}

export const region = 'RegionOne'
export const adminPassword = 'admin-secret'
const host = '127.0.0.1'

export const databaseUrl = (folder: string, name: string): string =>
  `sqlite:///${join(folder, 'db', `${name}.sqlite`)}`

export const configPath = (folder: string, name: string): string => join(folder, 'conf', name)

export const pastePath = (etc: string, name: string): string => join(etc, name, 'api-paste.ini')

/** The files of all services by path below `conf`. Each unusual line has its reason. */
export const configurations = ({
  folder,
  ports,
  etc,
  tokenCacheSeconds,
}: CloudPlace): Readonly<Record<string, string>> => {
  const url = (name: keyof CloudPorts) => `http://${host}:${ports[name]}`
  const login = {
    auth_url: url('keystone'),
    auth_type: 'password',
    project_domain_name: 'Default',
    user_domain_name: 'Default',
    project_name: 'admin',
    username: 'admin',
    password: adminPassword,
  }
  const keystone_authtoken = {
    ...login,
    www_authenticate_uri: url('keystone'),
    memcached_servers: '',
    token_cache_time: tokenCacheSeconds,
  }
  const client = { ...login, region_name: region }
  // Messages stay in one process. Those to agents that do not exist are dropped.
  const inProcess = { transport_url: 'fake:/' }
  const oslo_concurrency = { lock_path: join(folder, 'lock') }
  const database = (name: string) => ({ connection: databaseUrl(folder, name) })
  const openPolicy = { enforce_scope: false, enforce_new_defaults: false }
  const files: Record<string, Sections> = {
    'keystone.conf': {
      DEFAULT: { public_endpoint: url('keystone') },
      database: database('keystone'),
      fernet_tokens: { key_repository: join(folder, 'fernet') },
      credential: { key_repository: join(folder, 'credential-keys') },
      // The default of 12 rounds costs 0.3 s of CPU for each login.
      identity: { password_hash_rounds: 4 },
      // Each check of a token reads the catalog, which makes keystone the busiest process.
      cache: { enabled: true, backend: 'dogpile.cache.memory' },
      oslo_policy: openPolicy,
    },
    'placement.conf': {
      DEFAULT: {},
      api: { auth_strategy: 'keystone' },
      placement_database: database('placement'),
      keystone_authtoken,
    },
    'glance-api.conf': {
      DEFAULT: {
        ...inProcess,
        enabled_backends: 'files:file',
        node_staging_uri: `file://${join(folder, 'images', 'staging')}`,
      },
      database: database('glance'),
      glance_store: { default_backend: 'files' },
      files: { filesystem_store_datadir: join(folder, 'images', 'store') },
      os_glance_staging_store: { filesystem_store_datadir: join(folder, 'images', 'staging') },
      os_glance_tasks_store: { filesystem_store_datadir: join(folder, 'images', 'tasks') },
      paste_deploy: { flavor: 'keystone', config_file: join(etc, 'glance', 'glance-api-paste.ini') },
      oslo_concurrency,
      keystone_authtoken,
    },
    'neutron.conf': {
      DEFAULT: {
        ...inProcess,
        core_plugin: 'ml2',
        // A second plugin that needs routers would load neutron's own one as well, and no router could be created.
        service_plugins: 'trellis_openstack.neutron_agents.Routers',
        auth_strategy: 'keystone',
        api_paste_config: pastePath(etc, 'neutron'),
        state_path: folder,
        dhcp_agent_notification: false,
        // Nova shows the floating addresses of a server that neutron reports.
        notify_nova_on_port_status_changes: true,
        notify_nova_on_port_data_changes: true,
        send_events_interval: 1,
      },
      database: database('neutron'),
      oslo_concurrency,
      oslo_policy: { policy_file: configPath(folder, 'neutron-policy.yaml') },
      quotas: {
        default_network: 100,
        default_subnet: 100,
        default_router: 50,
        default_floatingip: 100,
        default_port: 500,
        default_security_group: 100,
        default_security_group_rule: 1000,
      },
      nova: client,
      placement: client,
      keystone_authtoken,
    },
    'ml2_conf.ini': {
      ml2: {
        type_drivers: 'local,flat',
        // Local networks need no ranges of segments.
        tenant_network_types: 'local',
        mechanism_drivers: 'trellis',
        extension_drivers: 'port_security',
      },
      ml2_type_flat: { flat_networks: '*' },
      securitygroup: { enable_security_group: true },
    },
    'nova.conf': {
      DEFAULT: {
        ...inProcess,
        compute_driver: 'fake.FakeDriver',
        concurrency_backend: 'threading',
        host: 'compute-1',
        state_path: folder,
        instances_path: join(folder, 'instances'),
        // No agent reports that a port is plugged in.
        vif_plugging_timeout: 0,
        vif_plugging_is_fatal: false,
        heal_instance_info_cache_interval: 5,
        report_interval: 10,
        running_deleted_instance_action: 'log',
        sync_power_state_interval: -1,
        update_resources_interval: 10,
        reserved_host_memory_mb: 0,
      },
      api: { auth_strategy: 'keystone' },
      wsgi: { api_paste_config: pastePath(etc, 'nova') },
      api_database: database('nova_api'),
      database: database('nova_cell1'),
      // Maps the host without nova-manage.
      scheduler: { discover_hosts_in_cells_interval: 2, workers: 1 },
      conductor: { workers: 1 },
      filter_scheduler: {
        enabled_filters: 'ComputeFilter,ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter',
      },
      oslo_concurrency,
      glance: { api_servers: url('glance') },
      cinder: { catalog_info: 'volumev3::publicURL' },
      vnc: { enabled: false },
      quota: { server_groups: 50, key_pairs: 200 },
      neutron: { ...client, service_metadata_proxy: false },
      placement: client,
      // Without it neutron does not let nova delete the ports of servers.
      service_user: { ...client, send_service_user_token: true },
      keystone_authtoken,
    },
    'designate.conf': {
      DEFAULT: { ...inProcess, state_path: folder, default_pool_id: designatePool },
      'service:api': {
        auth_strategy: 'keystone',
        enable_api_v2: true,
        enabled_extensions_v2: 'quotas',
        api_base_uri: `${url('designate')}/`,
        enable_host_header: true,
      },
      'service:central': { default_pool_id: designatePool, workers: 1 },
      'service:worker': {
        enabled: true,
        workers: 1,
        poll_delay: 0,
        poll_retry_interval: 1,
        poll_timeout: 2,
        serial_retry_delay: 1,
      },
      'storage:sqlalchemy': database('designate'),
      coordination: { backend_url: `file://${join(folder, 'tooz')}` },
      heartbeat_emitter: { emitter_type: 'noop' },
      oslo_concurrency,
      oslo_policy: openPolicy,
      keystone_authtoken,
    },
    'octavia.conf': {
      DEFAULT: inProcess,
      api_settings: {
        auth_strategy: 'keystone',
        enabled_provider_drivers: 'noop_driver: does nothing',
        default_provider_driver: 'noop_driver',
        api_base_uri: url('octavia'),
      },
      database: database('octavia'),
      oslo_policy: { policy_file: configPath(folder, 'octavia-policy.yaml') },
      controller_worker: {
        network_driver: 'network_noop_driver',
        compute_driver: 'compute_noop_driver',
        amphora_driver: 'amphora_noop_driver',
      },
      certificates: { cert_manager: 'local_cert_manager' },
      service_auth: client,
      neutron: client,
      keystone_authtoken,
    },
    ...swiftFiles(folder, ports, keystone_authtoken),
  }
  return {
    ...Object.fromEntries(Object.entries(files).map(([name, sections]) => [name, iniText(sections)])),
    'neutron-policy.yaml': neutronPolicy,
    'octavia-policy.yaml': octaviaPolicy,
    'pools.yaml': poolsText(ports.names),
  }
}

const swiftFiles = (
  folder: string,
  ports: CloudPorts,
  keystone_authtoken: Sections[string],
): Record<string, Sections> => {
  const common = {
    bind_ip: host,
    workers: 0,
    swift_dir: join(folder, 'swift', 'rings'),
    log_address: '/dev/null',
  }
  const storage = (['account', 'container', 'object'] as const).map(kind => [
    `swift-${kind}.conf`,
    {
      DEFAULT: {
        ...common,
        bind_port: ports[`swift-${kind}`],
        devices: join(folder, 'swift', 'disk'),
        mount_check: false,
        fallocate_reserve: 0,
        disable_fallocate: true,
      },
      'pipeline:main': { pipeline: `${kind}-server` },
      [`app:${kind}-server`]: { use: `egg:swift#${kind}` },
    },
  ])
  const filters = [
    'healthcheck',
    'catch_errors',
    'gatekeeper',
    'bulk',
    'copy',
    'slo',
    'dlo',
    'versioned_writes',
  ]
  return {
    ...Object.fromEntries(storage),
    'swift-proxy.conf': {
      DEFAULT: { ...common, bind_port: ports.swift },
      'pipeline:main': {
        pipeline:
          'catch_errors gatekeeper healthcheck bulk authtoken keystoneauth copy slo dlo versioned_writes proxy-server',
      },
      'app:proxy-server': { use: 'egg:swift#proxy', account_autocreate: true },
      ...Object.fromEntries(filters.map(name => [`filter:${name}`, { use: `egg:swift#${name}` }])),
      'filter:authtoken': {
        'paste.filter_factory': 'keystonemiddleware.auth_token:filter_factory',
        ...keystone_authtoken,
        delay_auth_decision: true,
      },
      'filter:keystoneauth': {
        use: 'egg:swift#keystoneauth',
        operator_roles: 'admin, member',
        reseller_prefix: 'AUTH',
      },
    },
    '../swift/rings/swift.conf': {
      'swift-hash': { swift_hash_path_suffix: 'trellis', swift_hash_path_prefix: 'trellis' },
    },
  }
}

const designatePool = '794ccc2c-d751-44fe-b57f-8894c9f5c842'

const poolsText = (port: number): string => `
- name: default
  id: ${designatePool}
  description: one name server
  attributes: {}
  ns_records: [{hostname: ns1.example.net., priority: 1}]
  nameservers: [{host: ${host}, port: ${port}}]
  targets:
    - type: fake
      description: does nothing
      masters: [{host: ${host}, port: ${port}}]
      options: {host: ${host}, port: ${port}}
`

/** By default, only admins may do these. Clouds that offer floatingPoolSubnetName or useSNAT allow them to others. */
const neutronPolicy = ['create', 'update']
  .flatMap(verb =>
    ['external_fixed_ips', 'enable_snat'].map(field => `${verb}_router:external_gateway_info:${field}`),
  )
  .map(rule => `"${rule}": "rule:admin_only or role:net_gateway"\n`)
  .join('')

/** Members need no role of octavia, as in the file admin_or_owner-policy.yaml of its sources. */
const octaviaPolicy = Object.entries({
  context_is_admin: 'role:admin or role:load-balancer_admin',
  admin_or_owner: 'is_admin:True or project_id:%(project_id)s',
  'load-balancer:read': 'rule:admin_or_owner',
  'load-balancer:read-global': 'is_admin:True',
  'load-balancer:write': 'rule:admin_or_owner',
  'load-balancer:read-quota': 'rule:admin_or_owner',
  'load-balancer:read-quota-global': 'is_admin:True',
  'load-balancer:write-quota': 'is_admin:True',
})
  .map(([rule, check]) => `"${rule}": "${check}"\n`)
  .join('')
