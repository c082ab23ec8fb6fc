/** What the command line itself calls the sandbox's AWS with; its calls are not part of the story. */
export const sandboxCredentials = { accessKeyId: 'AKIASANDBOX000000000', secretAccessKey: 'sandbox' } as const
