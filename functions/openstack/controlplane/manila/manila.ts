import type { OpenStackComponent } from '../rendering.ts'
import { manilaController } from './manila-controller.ts'
import { manilaNode } from './manila-node.ts'
import { manilaClasses } from './manila-storage.ts'

/** Shared file systems of Manila, over NFS. */
export const manila: OpenStackComponent = {
  seed: rendering => (rendering.manila === undefined ? [] : manilaController(rendering)),
  shoot: rendering =>
    rendering.manila === undefined
      ? []
      : [...manilaNode(rendering), ...manilaClasses(rendering, rendering.manila)],
}
