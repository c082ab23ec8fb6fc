import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { outputOf } from '../../../../build/programs/programs.ts'
import { adminPassword, type CloudPlace, configPath, databaseUrl, region } from './configurations.ts'
import { pythonEnvironment } from './processes.ts'

/** Creates empty databases of all services, two at a time. */
export const makeDatabases = async (python: string, { folder, ports }: CloudPlace): Promise<void> => {
  const config = (name: string) => ['--config-file', configPath(folder, `${name}.conf`)]
  const glue = (name: string, ...args: readonly string[]) =>
    outputOf(python, ['-m', `trellis_openstack.${name}`, ...args], { env: pythonEnvironment, cwd: folder })
  const command = (main: string, ...args: readonly string[]) => glue('command', main, ...args)
  const { uid, gid } = userInfo()
  const owner = ['--keystone-user', `${uid}`, '--keystone-group', `${gid}`]
  const keystone = async () => {
    const manage = (...args: readonly string[]) =>
      command('keystone.cmd.manage:main', ...config('keystone'), ...args)
    const url = `http://127.0.0.1:${ports.keystone}/v3/`
    await manage('db_sync')
    await manage('fernet_setup', ...owner)
    await manage('credential_setup', ...owner)
    await manage(
      ...['bootstrap', '--bootstrap-password', adminPassword, '--bootstrap-region-id', region],
      ...['admin', 'internal', 'public'].flatMap(kind => [`--bootstrap-${kind}-url`, url]),
    )
  }
  const nova = async () => {
    const manage = (...args: readonly string[]) => command('nova.cmd.manage:main', ...config('nova'), ...args)
    await manage('api_db', 'sync')
    await manage('cell_v2', 'map_cell0', '--database_connection', databaseUrl(folder, 'nova_cell0'))
    // After the mapping: otherwise cell 0 has no tables.
    await manage('db', 'sync')
    await manage(
      ...['cell_v2', 'create_cell', '--name', 'cell1', '--transport-url', 'fake:/'],
      ...['--database_connection', databaseUrl(folder, 'nova_cell1')],
    )
    // Nova's compute refuses its second start without it.
    await writeFile(join(folder, 'compute_id'), randomUUID())
  }
  const others = async () => {
    await command('placement.cmd.manage:main', ...config('placement'), 'db', 'sync')
    await command('glance.cmd.manage:main', ...config('glance-api'), 'db_sync')
    await glue('tables', 'neutron', databaseUrl(folder, 'neutron'))
    await command('designate.cmd.manage:main', ...config('designate'), 'database', 'sync')
    await glue('designate_pool', configPath(folder, 'designate.conf'), configPath(folder, 'pools.yaml'))
    await glue('tables', 'octavia', databaseUrl(folder, 'octavia'))
    await keystone()
  }
  await Promise.all([nova(), others()])
}
