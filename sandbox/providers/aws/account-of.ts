import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** The number of the account that stands in the status of objects; undefined when none does. */
export const accountOf = (objects: readonly (KubernetesObject | undefined)[]): string | undefined =>
  /"arn:aws[a-z-]*:iam::(\d{12}):/.exec(JSON.stringify(objects.map(object => object?.status)))?.[1]
