import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** A comment and the path of the entry below it. An empty path: above the object. */
export type Comment = readonly [path: readonly (string | number)[], text: string]

/** An object with its reasons, which become comments in a file. */
export interface Explained<O extends KubernetesObject = KubernetesObject> {
  readonly object: O
  readonly comments: readonly Comment[]
}

export const explained = <O extends KubernetesObject>(
  object: O,
  comments: readonly Comment[] = [],
): Explained<O> => ({ object, comments })
