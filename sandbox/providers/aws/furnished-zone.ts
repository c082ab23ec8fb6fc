/** The hosted zone of the sandbox's account. RFC 2606 reserves the domain for examples. */
export const furnishedZone = { name: 'example.com', id: 'Z0SANDBOXEXAMPLECOM' } as const
