import * as z from 'zod'
import { formatProblems, problemsOf } from '../../decode/problems.ts'

const text = z.string().nullish()
const quantity = z.union([z.string(), z.number()]).nullish()
const flag = z.boolean().nullish()

const kubelet = z.object({
  kubeReserved: z
    .object({ cpu: quantity, memory: quantity, pid: quantity, ephemeralStorage: quantity })
    .nullish(),
  evictionHard: z
    .object({
      imageFSAvailable: text,
      imageFSInodesFree: text,
      memoryAvailable: text,
      nodeFSAvailable: text,
      nodeFSInodesFree: text,
    })
    .nullish(),
  cpuManagerPolicy: text,
})

const volume = { type: text, size: z.string(), encrypted: flag }

const pool = z.object({
  name: z.string(),
  minimum: z.int(),
  maximum: z.int(),
  machine: z.object({ type: z.string(), image: z.object({ name: z.string(), version: text }).nullish() }),
  volume: z.object(volume).nullish(),
  dataVolumes: z.array(z.object({ name: z.string(), ...volume })).nullish(),
  cri: z.object({ name: text }).nullish(),
  kubernetes: z.object({ version: text, kubelet: kubelet.nullish() }).nullish(),
  updateStrategy: z.enum(['AutoRollingUpdate', 'AutoInPlaceUpdate', 'ManualInPlaceUpdate']).nullish(),
  providerConfig: z.looseObject({}).nullish(),
})

const rotation = z.looseObject({
  phase: text,
  lastInitiationTime: text,
  pendingWorkersRollouts: z.array(z.object({ name: z.string(), lastInitiationTime: text })).nullish(),
})

const shootSchema = z.object({
  metadata: z.object({ annotations: z.record(z.string(), z.string()).nullish() }),
  spec: z.object({
    hibernation: z.object({ enabled: flag }).nullish(),
    kubernetes: z.object({
      version: z.string(),
      kubelet: kubelet.nullish(),
      kubeProxy: z.object({ enabled: flag, mode: text }).nullish(),
    }),
    systemComponents: z.object({ nodeLocalDNS: z.object({ enabled: flag }).nullish() }).nullish(),
    provider: z.object({ workers: z.array(pool).nullish() }),
  }),
  status: z
    .object({
      credentials: z
        .object({
          rotation: z
            .looseObject({
              certificateAuthorities: rotation.nullish(),
              serviceAccountKey: rotation.nullish(),
            })
            .nullish(),
        })
        .nullish(),
    })
    .nullish(),
})

/** The fields of a Shoot that decide about its nodes. */
export type NodesShoot = z.output<typeof shootSchema>
export type PoolOfShoot = z.output<typeof pool>
export type ShootKubelet = z.output<typeof kubelet>
export type CredentialRotation = z.output<typeof rotation>

/** Reads a Shoot of the garden. Throws an Error for a Shoot of another form. */
export const readShoot = (object: unknown): NodesShoot => {
  const { data, error } = shootSchema.safeParse(object)
  if (error === undefined) return data
  throw new Error(`cannot read the Shoot: ${formatProblems(problemsOf(error.issues, object))}`)
}
