import { annotations } from '../../contract/constants.ts'
import type { CredentialRotation, NodesShoot } from './read-shoot.ts'

/** The maintenance of the shoot copies its value to `gardener.cloud/operation`. */
const maintenanceOperation = 'maintenance.gardener.cloud/operation'

type Rotated = 'certificateAuthorities' | 'serviceAccountKey'

/**
 * Operations that roll nodes, now or at `rotate-rollout-workers`
 * (docs/contract/workers.md#operations-that-roll-machines).
 */
const starts: Readonly<Record<string, readonly Rotated[]>> = {
  'rotate-credentials-start': ['certificateAuthorities', 'serviceAccountKey'],
  'rotate-ca-start': ['certificateAuthorities'],
  'rotate-serviceaccount-key-start': ['serviceAccountKey'],
}
const withoutRollout = '-without-workers-rollout'

/** Returns the operations that a change requests. */
export const newOperations = (former: NodesShoot, next: NodesShoot): readonly string[] => {
  const before = new Set(operationsOf(former))
  return operationsOf(next).filter(operation => !before.has(operation))
}

const operationsOf = ({ metadata }: NodesShoot): readonly string[] =>
  [annotations.operation, maintenanceOperation]
    .flatMap(name => (metadata.annotations?.[name] ?? '').split(';'))
    .map(operation => operation.trim())
    .filter(operation => operation !== '')

/** Returns the shoot as gardenlet changes its status for the operations. A rotation starts `now`. */
export const withOperations = (shoot: NodesShoot, operations: readonly string[]): NodesShoot =>
  operations.reduce(withOperation, shoot)

const withOperation = (shoot: NodesShoot, operation: string): NodesShoot => {
  const rolled = poolsAfter('rotate-rollout-workers=', operation)
  if (rolled !== undefined)
    return withRotations(shoot, ['certificateAuthorities', 'serviceAccountKey'], withoutPending(rolled))
  const isLater = operation.endsWith(withoutRollout)
  const rotated = starts[isLater ? operation.slice(0, -withoutRollout.length) : operation]
  if (rotated === undefined) return shoot
  const names = (shoot.spec.provider.workers ?? []).map(({ name }) => name)
  return withRotations(shoot, rotated, before => ({
    ...before,
    lastInitiationTime: 'now',
    ...(isLater && {
      pendingWorkersRollouts: names.map(name => ({ name, lastInitiationTime: before.lastInitiationTime })),
    }),
  }))
}

const withoutPending =
  (names: readonly string[]) =>
  (before: CredentialRotation): CredentialRotation =>
    before.phase === 'WaitingForWorkersRollout'
      ? {
          ...before,
          pendingWorkersRollouts: before.pendingWorkersRollouts?.filter(({ name }) => !names.includes(name)),
        }
      : before

const withRotations = (
  shoot: NodesShoot,
  rotated: readonly Rotated[],
  change: (before: CredentialRotation) => CredentialRotation,
): NodesShoot => {
  const { credentials } = shoot.status ?? {}
  const rotation = { ...credentials?.rotation }
  for (const name of rotated) rotation[name] = change(rotation[name] ?? {})
  return { ...shoot, status: { ...shoot.status, credentials: { ...credentials, rotation } } }
}

/** Returns the pools whose machines the operations replace although nothing changes. `*` is every pool. */
export const rolledByHand = (operations: readonly string[]): { readonly has: (pool: string) => boolean } => {
  const names = new Set(operations.flatMap(operation => poolsAfter('rollout-workers=', operation) ?? []))
  return { has: pool => names.has('*') || names.has(pool) }
}

const poolsAfter = (prefix: string, operation: string): readonly string[] | undefined =>
  operation.startsWith(prefix) ? operation.slice(prefix.length).split(',') : undefined
