import type { KindName } from '../../../../shared/contract/kinds.ts'
import type { AuthorityRotation, ShootState } from '../../../gardenlet/gardenlet.ts'
import { expect, type Stop } from '../../stop.ts'
import { added } from '../account-contents.ts'
import { authorities, isSignedBy, privateKeys, servedBy } from './shoot-keys.ts'
import type { AwsShootSeed } from './shoot-seeds.ts'
import { type Narrated, type ShootTour, startShootTour } from './shoot-tour.ts'
import { linesOf } from './whole-account.ts'
import { asleep, during, rotating, seeds, wholeShoot } from './whole-shoot.ts'

const everything: readonly KindName[] = [
  'BackupBucket',
  'BackupEntry',
  'Bastion',
  'ControlPlane',
  'DNSRecord',
  'Infrastructure',
  'Network',
  'OperatingSystemConfig',
  'Worker',
]
const server = 'cloud-controller-manager'
const { technicalID: namespace } = wholeShoot.status

/** Returns the shoot in this phase of its CA rotation. */
const rotation = (phase: AuthorityRotation['phase']) =>
  rotating(wholeShoot, { phase, lastInitiationTime: '2026-03-01T10:00:00Z' })
const rotated = rotation('Completed')

/** The life of all parts of a shoot, in two seeds, as their gardenlets request it. */
export const shootStops = (): readonly Stop[] => {
  let tour: ShootTour | undefined
  let state: ShootState | undefined
  const stop = (
    title: string,
    typed: string,
    narrated: Narrated,
    act: (tour: ShootTour, signal: AbortSignal) => Promise<string>,
  ): Stop => ({
    title,
    typed: `gardenlet: ${typed}`,
    run: async (stage, signal) => {
      tour ??= await startShootTour(stage)
      tour.narrate(narrated)
      return act(tour, signal)
    },
  })
  return [
    stop(
      'A whole shoot: network, control plane, Calico, machines with Garden Linux, names, backups, and a temporary bastion',
      'creates shoot iris',
      { kinds: everything, cloud: false },
      async ({ first, second, contents, before }, signal) => {
        const gardenlet = first.gardenlet(signal)
        await Promise.all([gardenlet.prepareSeed(), second.gardenlet(signal).prepareSeed()])
        await gardenlet.reconcile(wholeShoot)
        const made = added(before, await contents())
        expect(readyNodes(first).length === 2, 'the shoot does not have two nodes')
        await gardenlet.openBastion(wholeShoot, { name: 'cli', cidr: '203.0.113.7/32' })
        await gardenlet.closeBastion(wholeShoot, 'cli')
        expect(made === added(before, await contents()), 'the bastion left resources behind')
        return `  AWS has ${made}; both machines are nodes.`
      },
    ),
    stop(
      'It hibernates and wakes up: machines and controllers are removed and created, the network is unchanged',
      'reconciles shoot iris with spec.hibernation.enabled=true, then =false',
      { kinds: ['ControlPlane', 'Worker'], cloud: true },
      async ({ first }, signal) => {
        const gardenlet = first.gardenlet(signal)
        await gardenlet.reconcile(asleep(wholeShoot))
        expect(readyNodes(first).length === 0, 'there are nodes although the shoot hibernates')
        await gardenlet.reconcile(wholeShoot)
        expect(readyNodes(first).length === 2, 'the shoot does not have two nodes again')
        return ''
      },
    ),
    stop(
      'Its CA is rotated: first both CAs are trusted, then nodes are replaced, then the old CA is removed',
      'reconciles shoot iris in the phases Preparing, Completing and Completed',
      { kinds: ['ControlPlane', 'Worker'], cloud: false },
      async ({ first }, signal) => {
        const gardenlet = first.gardenlet(signal)
        const [old] = await authorities(first.kubernetes)
        const nodes = readyNodes(first)
        await gardenlet.reconcile(rotation('Preparing'))
        const both = await authorities(first.kubernetes)
        expect(both.length === 2, `there are ${both.length} CAs while the rotation is prepared`)
        expect(isSignedBy(await servedBy(first.kubernetes, server), old), 'the new CA signs too early')
        const stayed = readyNodes(first).filter(id => nodes.includes(id))
        expect(stayed.length === 0, `nodes have not been replaced: ${stayed.join(', ')}`)
        await gardenlet.reconcile(rotation('Completing'))
        await gardenlet.reconcile(rotated)
        const [now, ...others] = await authorities(first.kubernetes)
        expect(others.length === 0, 'the old CA is still there')
        expect(isSignedBy(await servedBy(first.kubernetes, server), now), 'the new CA does not sign')
        return `  One CA is left, ${now?.subject.replace('CN=', '')}, and signs what ${server} serves.`
      },
    ),
    stop(
      'It migrates to another seed: no resource in AWS is recreated, and no private key is left behind',
      `migrates shoot iris from seed ${seeds.first.name} to seed ${seeds.second.name}`,
      { kinds: everything, cloud: true },
      async ({ first, second, contents }, signal) => {
        const account = linesOf(await contents())
        const nodes = readyNodes(first)
        const gardenlet = first.gardenlet(signal)
        state = await gardenlet.migrate(during(rotated, 'Migrate'))
        const keys = await privateKeys(first.kubernetes)
        expect(keys.length === 0, `private keys are left in the first seed: ${keys.join(', ')}`)
        await gardenlet.forget(rotated)
        await second.gardenlet(signal).restore(during(rotated, 'Restore'), state)
        expect(String(readyNodes(second)) === String(nodes), 'the nodes have changed')
        expect(String(linesOf(await contents())) === String(account), 'the account has changed')
        return '  The same network, machines and CA; the names point to the second seed.'
      },
    ),
    stop(
      'The shoot is deleted, and its account is empty',
      `deletes shoot iris in seed ${seeds.second.name}`,
      { kinds: everything, cloud: false },
      async ({ first, second, contents, before }, signal) => {
        const gardenlet = second.gardenlet(signal)
        await gardenlet.delete(during(rotated, 'Delete'))
        await Promise.all([first.gardenlet(signal).removeSeed(), gardenlet.removeSeed()])
        const left = await contents()
        expect(
          String(linesOf(left)) === String(linesOf(before)),
          `left in AWS: ${added(before, left) || 'less than before'}`,
        )
        return '  AWS contains the same resources as before.'
      },
    ),
  ]
}

/** Returns the machines that have joined the shoot as nodes. */
const readyNodes = ({ machines }: AwsShootSeed): readonly string[] =>
  machines
    .nodes(namespace)
    .filter(({ ready }) => ready === 'True')
    .map(({ providerId }) => providerId)
    .toSorted()
