import { yamlOf } from './yaml-of.ts'

export interface ComponentKustomization {
  readonly name: string
  /** The purpose, as a comment at the top. */
  readonly why: string
  /** Files that it adds. */
  readonly resources?: readonly string[]
  readonly patches: readonly object[]
}

/** `kustomization.yaml` of a component of kustomize. */
export const componentKustomization = ({ name, why, resources, patches }: ComponentKustomization): string =>
  yamlOf([
    {
      object: {
        apiVersion: 'kustomize.config.k8s.io/v1alpha1',
        kind: 'Component',
        metadata: { name },
        ...(resources && { resources }),
        patches,
      },
      comments: [[[], `${why} Made by make manifests.`]],
    },
  ])
