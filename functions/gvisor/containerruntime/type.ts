/** The `spec.type` of ContainerRuntimes that are gVisor. */
export const type = 'gvisor'
