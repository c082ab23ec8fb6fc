import * as z from 'zod'
import { type Problem, problemsOf } from '../../../decode/problems.ts'

const string = z.string().nullish()
const volume = { type: string, size: string }

const pool = z.object({
  name: z.string(),
  labels: z.record(z.string(), z.string()).nullish(),
  machine: z
    .object({
      type: string,
      architecture: string,
      image: z.object({ name: string, version: string }).nullish(),
    })
    .nullish(),
  volume: z.object(volume).nullish(),
  dataVolumes: z.array(z.object({ name: z.string(), ...volume })).nullish(),
  zones: z.array(z.string()).nullish(),
  updateStrategy: string,
  providerConfig: z.unknown().optional(),
})

const credentialsRef = z.object({ apiVersion: string, kind: string, name: string })

const shootSpec = z.object({
  cloudProfileName: string,
  cloudProfile: z.object({ kind: string, name: string }).nullish(),
  region: string,
  secretBindingName: string,
  credentialsBindingName: string,
  kubernetes: z.object({ version: string }).nullish(),
  networking: z
    .object({
      type: string,
      ipFamilies: z.array(z.string()).nullish(),
      nodes: string,
      pods: string,
      services: string,
      providerConfig: z.unknown().optional(),
    })
    .nullish(),
  dns: z
    .object({
      providers: z
        .array(
          z.object({
            type: string,
            primary: z.boolean().nullish(),
            credentialsRef: credentialsRef.nullish(),
            secretName: string,
          }),
        )
        .nullish(),
    })
    .nullish(),
  provider: z
    .object({
      infrastructureConfig: z.unknown().optional(),
      controlPlaneConfig: z.unknown().optional(),
      workers: z.array(pool).nullish(),
    })
    .nullish(),
})

/** The part of the `spec` of a Shoot that admission reads. The rest may have any form. */
export type ShootSpec = z.output<typeof shootSpec>
export type ShootPool = NonNullable<NonNullable<ShootSpec['provider']>['workers']>[number]

export type ParsedShoot =
  | { readonly ok: true; readonly spec: ShootSpec }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * Reads `spec`. The API server of the garden ensures that it has the form of a Shoot. A spec of another form is
 * refused, never misread.
 */
export const parseShoot = (spec: unknown): ParsedShoot => {
  const { data, error } = shootSpec.safeParse(spec ?? {})
  return error === undefined
    ? { ok: true, spec: data }
    : { ok: false, problems: problemsOf(error.issues, spec) }
}

export const poolsIn = ({ provider }: ShootSpec): readonly ShootPool[] => provider?.workers ?? []
