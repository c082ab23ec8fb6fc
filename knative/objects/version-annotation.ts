import { annotations } from '../../shared/contract/constants.ts'
import type { Deployment } from '../deployment.ts'

/**
 * Returns the annotation of a workload with the version of the library. It belongs on the workload itself: on the
 * template of its pods, every new version would start a rollout of unchanged programs.
 */
export const versionAnnotation = ({
  libraryVersion,
}: Pick<Deployment, 'libraryVersion'>): { readonly annotations?: Readonly<Record<string, string>> } =>
  libraryVersion === undefined ? {} : { annotations: { [annotations.version]: libraryVersion } }
