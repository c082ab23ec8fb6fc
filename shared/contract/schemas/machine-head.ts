import * as z from 'zod'
import { machineApiVersion } from '../constants.ts'
import { objectMeta } from './object-meta.ts'

const ownerReference = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: z.boolean().exactOptional(),
})

/** Common first fields of the machine-controller-manager's objects. */
export const machineHead = <K extends string>(kind: K) => ({
  apiVersion: z.literal(machineApiVersion),
  kind: z.literal(kind),
  metadata: objectMeta.extend({ ownerReferences: z.array(ownerReference).exactOptional() }),
})
