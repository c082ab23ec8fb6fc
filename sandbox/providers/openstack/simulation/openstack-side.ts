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
import { type Creator, createOpenStackBook } from './observe-openstack.ts'
import { openstackRows, rowOfItem } from './openstack-contents.ts'
import { moveIn } from './strangers.ts'
import { landscape, projects, seeds, wholeShoot, zoneName } from './whole-shoot.ts'

export interface OpenStackSide extends CloudSide {
  readonly openstack: SimulatedOpenStack
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

/** The configuration of the controllers is a Secret in a manifest, and contains ids. */
const inBase64 = /[A-Za-z0-9+/]{160,}={0,2}/g
const plain = (text: string): string => {
  const decoded = Buffer.from(text, 'base64').toString()
  return decoded.includes('[Global]') ? decoded.replace(/["\\\n]/g, ' ') : text
}

const exceptions: readonly WorldException[] = [
  {
    why: 'the name of a machine class contains a checksum with the id of its server group',
    rows: inEachRow(
      row =>
        JSON.parse(
          JSON.stringify(row)
            .replace(/(-z\d+-)[0-9a-f]{5}\b/g, '$100000')
            .replace(inBase64, plain),
        ) as WorldRow,
    ),
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
