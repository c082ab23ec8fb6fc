import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** Returns the account number in the status of the objects, or undefined if none has one. */
export const accountOf = (objects: readonly (KubernetesObject | undefined)[]): string | undefined =>
  /"arn:aws[a-z-]*:iam::(\d{12}):/.exec(JSON.stringify(objects.map(object => object?.status)))?.[1]
