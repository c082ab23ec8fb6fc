/** The `spec.type` of ContainerRuntimes with gVisor. */
export const type = 'gvisor'
