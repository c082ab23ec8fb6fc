import { hasCloud, providerOf } from '../../../seed/seed.ts'
import { inEachRow, type WorldException, type WorldRow } from '../../../simulation/oracle/oracle.ts'
import type { CloudSide, CloudSideOptions } from '../../../simulation/simulation.ts'
import {
  type AwkwardLists,
  addOperatorContent,
  createOpenStack,
  domain,
  machineDriver,
  type OpenStackState,
  projectIdOf,
  type SimulatedOpenStack,
  userIdOf,
} from '../simulator/openstack.ts'
import { connectRest } from './connect-rest.ts'
import { type Creator, createOpenStackBook } from './openstack-book.ts'
import { openstackRows, rowOfItem } from './openstack-contents.ts'
import { moveIn } from './strangers.ts'
import { landscape, projects, seeds, wholeShoot, zoneName } from './whole-shoot.ts'

export interface OpenStackSide extends CloudSide {
  readonly openstack: SimulatedOpenStack
  /** Stores an object as etcd does. */
  addBackup(bucket: string, name: string): void
}

interface OpenStackBackup {
  readonly state: OpenStackState
  readonly creators: ReadonlyMap<string, Creator>
}

/** Behaviour that OpenStack does not exclude: other orders of lists, small pages, repeated items. */
export interface OpenStackHostility {
  readonly lists?: AwkwardLists
}

/** A simulated OpenStack in real durations, with a project for shoots, one for records and one for backups. */
export const createOpenStackSide = (
  { clock, random, visibleAfterMs = 0 }: CloudSideOptions,
  { lists }: OpenStackHostility = {},
): OpenStackSide => {
  const book = createOpenStackBook(() => openstack)
  const openstack: SimulatedOpenStack = createOpenStack({
    clock,
    scale: 1,
    bytes: random.fork('openstack').bytes,
    lag: { seed: random.fork('lag').uuid(), most: visibleAfterMs },
    quotas: { instances: 100 },
    around: book.around,
    ...(lists && { lists }),
  })
  furnish(openstack)
  moveIn(openstack)
  return {
    openstack,
    addBackup: (bucket, name) => openstack.addObject(bucket, name, 'backup', undefined, 'backups'),
    clouds: { openstack: { ...openstack, machines: scale => machineDriver(openstack, scale) } },
    connections: { openstack: connectRest(openstack.lateConnection) },
    functionSettings: {},
    serves: fn => providerOf(fn) === 'openstack' || !hasCloud(fn),
    seeds,
    landscape,
    shoot: wholeShoot,
    observe: book.observe,
    exceptions,
    contents: () => openstackRows(openstack).map(rowOfItem),
    backUp: (): OpenStackBackup => ({ state: openstack.snapshot(), creators: book.backUp() }),
    restore: backup => {
      const { state, creators } = backup as OpenStackBackup
      openstack.restore(state)
      book.restore(creators)
    },
    close: () => {},
  }
}

const replacing = (
  pattern: RegExp,
  replacement: string | ((text: string) => string),
): WorldException['rows'] =>
  // Both kinds of replacements have the same effect on a text.
  inEachRow(row => JSON.parse(JSON.stringify(row).replace(pattern, replacement as string)) as WorldRow)

const plain = (text: string): string => {
  const decoded = Buffer.from(text, 'base64').toString()
  return decoded.includes('[Global]') ? decoded.replace(/["\\\n]/g, ' ') : text
}

const exceptions: readonly WorldException[] = [
  {
    why: 'the name of a machine class, and so the hash of a machine, contain a checksum with the id of a server group',
    rows: replacing(/(-z\d+-)[0-9a-f]{5}\b|(machine-template-hash\W+)\d+/g, '$1$200000'),
  },
  {
    why: 'the configuration of the controllers is a Secret in a manifest, and contains ids',
    rows: replacing(/[A-Za-z0-9+/]{160,}={0,2}/g, plain),
  },
  {
    why: 'the marks and the state of a shoot that has moved name the object of the first seed',
    rows: replacing(/(created-for=|"CreatedFor":")[0-9a-f-]{36}/g, '$1its object'),
  },
]

/** Public addresses that comparisons of worlds ignore (RFC 2544). */
const publicRange = '198.18.0.0/20'

const furnish = ({ add }: SimulatedOpenStack): void => {
  addOperatorContent((kind, fields) => {
    // The other external networks have fewer addresses.
    const own = kind === 'subnet' && fields.name === 'public-subnet' ? { cidr: publicRange } : {}
    add(kind, { ...fields, ...own }, { project: '' })
  })
  for (const name of projects) {
    add('project', { id: projectIdOf(name), project_id: '', name, domain })
    add('user', {
      id: userIdOf(name),
      project_id: '',
      name,
      domain,
      password: `${name}-secret`,
      roles: { [name]: ['member'] },
    })
  }
  add('zone', { name: `${zoneName}.`, email: 'dns@example.com' }, { project: 'domains' })
}
