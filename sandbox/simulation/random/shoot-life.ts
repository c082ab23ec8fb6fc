import type { GardenShoot, ShootState, StoredState } from '../../gardenlet/gardenlet.ts'
import type { World } from '../simulate.ts'
import type { RandomCloud } from './random-cloud.ts'
import type { SeedName, ShootRequest } from './world-plan.ts'

/** A shoot in the hands of its user and its gardenlets. */
export interface ShootLife {
  /** Interrupts a reconciliation. Deletions and migrations first come to their end. */
  request(request: ShootRequest): void
  /** Reconciles the shoot after etcd of its seed has returned to a backup, which may lack its newest objects. */
  restored(): void
  /** Requests the final state, after a reconciliation of each pending phase. Resolves when it is reached. */
  finish(end: 'present' | 'deleted'): Promise<void>
  /** The shoot as its user wants it. Undefined: deleted. */
  shoot(): GardenShoot | undefined
  /** Returns all versions of the shoot that were requested. */
  versions(): readonly GardenShoot[]
  readonly namespace: string
  /** The seed that may change its cloud. */
  home(): SeedName
  /** The number of deletions. */
  deletions(): number
  /** Its seed, its incarnation, and if it is hibernated. */
  presence(): string
  /** Returns true during a move or a deletion. */
  isBusy(): boolean
  /** Its current work, with the error of the last attempt. */
  standing(): string
}

/** gardenlet gives up an attempt after this time, and starts again. */
export const attemptMs = 30 * 60_000
export const retryMs = 10_000

/**
 * The machine controller terminates instances without a Machine within this time: its interval, and the termination.
 */
const orphansMs = 40 * 60_000

const phases = ['Preparing', 'Prepared', 'Completing', 'Completed'] as const

export const createShootLife = (world: World<RandomCloud>, first: GardenShoot): ShootLife => {
  const { clock, cloud, trace } = world
  const { name } = first.metadata
  let shoot = first
  let versions: readonly GardenShoot[] = []
  let wanted: 'present' | 'deleted' = 'deleted'
  let stage: 'absent' | 'present' | 'busy' = 'absent'
  let home: SeedName = 'first'
  let target: SeedName = 'first'
  let wasReady = false
  let deletions = 0
  let changes = 0
  let standing = 'it is not requested'
  let bastions: ReadonlySet<string> = new Set()
  const opened = new Set<string>()
  /** The seed may lack objects, because its etcd has returned to a backup. */
  let areLost = false
  let restoredAt = Number.NEGATIVE_INFINITY
  let stored: ShootState | undefined
  let isMoving = false
  /** True while it is in no seed. */
  let isLeft = false
  let attempt = new AbortController()
  let working: Promise<void> | undefined

  const say = (text: string): void => {
    standing = text
    trace.note('gardenlet', `${name}: ${text}`)
  }
  const noLimit = new AbortController().signal
  const gardenlet = (signal: AbortSignal) => world[home].gardenlet(signal)
  const during = (type: string): GardenShoot => ({
    ...shoot,
    status: { ...shoot.status, lastOperation: { type, state: 'Processing' } },
  })

  const openBastion = (name: string, signal: AbortSignal) =>
    gardenlet(signal).openBastion(shoot, { name, cidr: '198.51.100.9/32' })
  const closeBastions = async (retained: ReadonlySet<string>): Promise<void> => {
    for (const bastion of [...opened].filter(one => !retained.has(one))) {
      // Without its object, nothing knows what it has in the cloud.
      if (areLost && !shoot.spec.hibernation.enabled) await openBastion(bastion, noLimit)
      await gardenlet(noLimit).closeBastion(shoot, bastion)
      opened.delete(bastion)
    }
  }
  const remove = async (): Promise<void> => {
    say('deletes it')
    await closeBastions(new Set())
    await gardenlet(noLimit).delete(during('Delete'))
    stage = 'absent'
    wasReady = false
    deletions += 1
    // A new shoot of the same name.
    const { uid } = shoot.metadata
    shoot = { ...shoot, metadata: { ...shoot.metadata, uid: `${uid.slice(0, -2)}${deletions + 10}` } }
  }
  const move = async (): Promise<void> => {
    isMoving = true
    say('moves it to the other seed')
    await closeBastions(new Set())
    const garden: StoredState = {
      read: () => stored,
      write: state => {
        stored = state
      },
    }
    const destination = home === 'first' ? 'second' : 'first'
    if (!isLeft) {
      stored = await gardenlet(noLimit).migrate(during('Migrate'), garden)
      await gardenlet(noLimit).forget(shoot)
      home = destination
      isLeft = true
    }
    say('restores it')
    if (stored !== undefined) await gardenlet(noLimit).restore(during('Restore'), stored)
    stored = undefined
    isLeft = false
    isMoving = false
  }
  const reconcile = async (): Promise<void> => {
    const { signal } = attempt
    const cancel = clock.after(attemptMs, () => attempt.abort(new Error('the attempt took too long')))
    try {
      say('reconciles it')
      stage = 'present'
      versions = [...versions, shoot]
      await gardenlet(signal).reconcile(during(wasReady ? 'Reconcile' : 'Create'))
      wasReady = true
      await closeBastions(bastions)
      if (!shoot.spec.hibernation.enabled) {
        for (const bastion of bastions) {
          opened.add(bastion)
          await openBastion(bastion, signal)
        }
        areLost = false
      }
    } finally {
      cancel()
    }
  }
  const uninterrupted = async (act: () => Promise<void>, next: typeof stage): Promise<void> => {
    stage = 'busy'
    await act()
    stage = next
  }
  /** Until then the machine controller has to run: it finds the machines that etcd has lost. */
  const machinesFound = async (): Promise<void> => {
    const waitMs = restoredAt + orphansMs - clock.now()
    if (waitMs <= 0) return
    say('waits for the machine controller')
    await clock.sleep(waitMs)
  }
  const step = async (): Promise<void> => {
    if (wanted === 'deleted' || shoot.spec.hibernation.enabled) await machinesFound()
    if (isMoving) return uninterrupted(move, 'present')
    if (wanted === 'deleted') return stage === 'absent' ? undefined : uninterrupted(remove, 'absent')
    if (target !== home && stage === 'present' && wasReady) return uninterrupted(move, 'present')
    return reconcile()
  }
  const isReached = () => (wanted === 'deleted' ? stage === 'absent' : target === home || !wasReady)
  const work = async (): Promise<void> => {
    for (;;) {
      const before = changes
      attempt = new AbortController()
      try {
        await step()
        if (changes === before && isReached()) break
      } catch (error) {
        say(`starts again after: ${String(error)}`)
        await clock.sleep(retryMs)
      }
    }
    working = undefined
    say('is done')
  }
  const start = (): void => {
    changes += 1
    if (stage !== 'busy') attempt.abort(new Error('the next request'))
    working ??= work()
  }

  const phaseOf = () => shoot.status.credentials?.rotation.certificateAuthorities.phase
  const rotate = (): void => {
    const { certificateAuthorities } = shoot.status.credentials?.rotation ?? {}
    const phase = phases[(phases.indexOf(certificateAuthorities?.phase ?? 'Completed') + 1) % phases.length]
    if (phase === undefined) return
    const isNew = phase === 'Preparing'
    const lastInitiationTime =
      isNew || certificateAuthorities === undefined
        ? new Date(clock.now()).toISOString().replace(/\.\d+Z/, 'Z')
        : certificateAuthorities.lastInitiationTime
    const rotation = { certificateAuthorities: { phase, lastInitiationTime } }
    shoot = { ...shoot, status: { ...shoot.status, credentials: { rotation } } }
  }
  const sleeping = (enabled: boolean): void => {
    shoot = { ...shoot, spec: { ...shoot.spec, hibernation: { enabled } } }
  }

  const apply = (request: ShootRequest): void => {
    switch (request.kind) {
      case 'reconcile':
        break
      case 'hibernate':
      case 'wake':
        sleeping(request.kind === 'hibernate')
        break
      case 'rotate':
        // Gardener starts a phase only after the former has succeeded.
        if (working === undefined && wasReady && wanted === 'present') rotate()
        break
      case 'migrate':
        target = target === 'first' ? 'second' : 'first'
        break
      case 'delete':
        wanted = 'deleted'
        return
      case 'change':
        shoot = cloud.changes[request.change]?.(shoot, request.pick) ?? shoot
        break
      case 'open bastion':
        bastions = new Set([...bastions, request.name])
        break
      case 'close bastion':
        bastions = new Set([...bastions].filter(one => one !== request.name))
        break
    }
    wanted = 'present'
  }

  return {
    namespace: first.status.technicalID,
    request: request => {
      apply(request)
      start()
    },
    restored: () => {
      areLost = true
      restoredAt = clock.now()
      if (wanted === 'present') start()
    },
    finish: async end => {
      bastions = new Set()
      wanted = end
      start()
      await working
      while (end === 'present' && phaseOf() !== undefined && phaseOf() !== 'Completed') {
        rotate()
        start()
        await working
      }
    },
    shoot: () => (wanted === 'present' ? shoot : undefined),
    versions: () => versions,
    home: () => home,
    deletions: () => deletions,
    isBusy: () => stage === 'busy',
    presence: () =>
      `${home}, ${deletions} deletions, ${shoot.spec.hibernation.enabled ? 'hibernated' : 'awake'}`,
    standing: () => standing,
  }
}
