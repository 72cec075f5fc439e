// Written by scripts/generate-reference.ts. Change the code in src/, not this file.

export interface paths {
  "/logon": {
    post: operations["logon"]
  }
  "/logoff": {
    post: operations["logoff"]
  }
  "/whoami": {
    get: operations["getCaller"]
  }
  "/whoami/explain-access": {
    get: operations["explainOwnAccess"]
  }
  "/whoami/access": {
    post: operations["listAllowedCalls"]
  }
  "/whoami/password": {
    patch: operations["changeOwnPassword"]
  }
  "/whoami/api-keys": {
    get: operations["listOwnApiKeys"]
    post: operations["createOwnApiKey"]
    delete: operations["deleteOwnApiKey"]
  }
  "/whoami/tokens": {
    delete: operations["endOwnTokens"]
  }
  "/manage/logon-checks": {
    post: operations["checkLogon"]
  }
  "/logon/browser": {
    post: operations["logOnAtPage"]
  }
  "/whoami/second-factor": {
    get: operations["getOwnSecondFactor"]
    post: operations["setUpOwnSecondFactor"]
    patch: operations["activateOwnSecondFactor"]
    delete: operations["turnOffOwnSecondFactor"]
  }
  "/whoami/second-factor/recovery-codes": {
    post: operations["renewOwnRecoveryCodes"]
  }
  "/manage/accounts/{username}/second-factor": {
    delete: operations["removeSecondFactor"]
  }
  "/logon/passkey": {
    get: operations["getPasskeyLogonOptions"]
  }
  "/whoami/passkeys": {
    get: operations["listOwnPasskeys"]
    post: operations["registerOwnPasskey"]
  }
  "/whoami/passkeys/options": {
    post: operations["beginOwnPasskey"]
  }
  "/whoami/passkeys/{id}": {
    patch: operations["renameOwnPasskey"]
    delete: operations["removeOwnPasskey"]
  }
  "/manage/accounts/{username}/passkeys": {
    get: operations["listPasskeys"]
  }
  "/manage/accounts/{username}/passkeys/{id}": {
    delete: operations["removePasskey"]
  }
  "/whoami/tables": {
    get: operations["listOwnTables"]
  }
  "/whoami/tables/{name}": {
    get: operations["getOwnTable"]
  }
  "/manage/accounts": {
    get: operations["listAccounts"]
    post: operations["createAccount"]
  }
  "/manage/accounts/{username}": {
    get: operations["getAccount"]
    patch: operations["changeAccount"]
    delete: operations["deleteAccount"]
  }
  "/manage/accounts/{username}/api-key": {
    post: operations["renewApiKey"]
  }
  "/manage/accounts/{username}/api-keys": {
    get: operations["listApiKeys"]
    post: operations["createApiKey"]
  }
  "/manage/accounts/{username}/api-keys/{name}": {
    get: operations["getApiKey"]
    delete: operations["deleteApiKey"]
  }
  "/manage/tokens": {
    get: operations["listTokens"]
    post: operations["createToken"]
    delete: operations["endTokens"]
  }
  "/manage/audit": {
    get: operations["listAuditEntries"]
  }
  "/manage/roles": {
    get: operations["listRoles"]
    post: operations["createRole"]
  }
  "/manage/roles/{name}": {
    get: operations["getRole"]
    put: operations["replaceRole"]
    delete: operations["deleteRole"]
  }
  "/manage/explain-access": {
    get: operations["explainAccess"]
  }
  "/manage/routes": {
    get: operations["listRoutes"]
    post: operations["createRoute"]
  }
  "/manage/routes/{name}": {
    get: operations["getRoute"]
    put: operations["replaceRoute"]
    delete: operations["deleteRoute"]
  }
  "/manage/route-health": {
    get: operations["listRouteHealth"]
  }
  "/manage/routes/{name}/health": {
    get: operations["getRouteHealth"]
  }
  "/manage/entities": {
    get: operations["listEntities"]
    post: operations["uploadEntities"]
  }
  "/manage/entities/{name}": {
    get: operations["getEntity"]
    delete: operations["deleteEntity"]
  }
  "/manage/entities/adopt": {
    post: operations["adoptTables"]
  }
  "/manage/drift": {
    get: operations["listDrift"]
  }
  "/manage/entities/{name}/versions": {
    get: operations["listEntityVersions"]
  }
  "/manage/entities/{name}/versions/{version}": {
    get: operations["getEntityVersion"]
  }
  "/manage/entities/{name}/versions/{version}/diff": {
    get: operations["compareEntityVersions"]
  }
  "/manage/schema": {
    get: operations["getSchemaVersion"]
  }
  "/manage/schema/reload": {
    post: operations["reloadSchema"]
  }
  "/manage/tables": {
    get: operations["listTables"]
  }
  "/manage/tables/{name}": {
    get: operations["getTable"]
  }
  "/manage/names": {
    get: operations["listNames"]
    put: operations["chooseName"]
    delete: operations["releaseName"]
  }
  "/graphql": {
    get: operations["getGraphqlSchema"]
    post: operations["executeGraphql"]
  }
  "/healthz": {
    get: operations["getHealth"]
  }
  "/readyz": {
    get: operations["getReadiness"]
  }
  "/metrics": {
    get: operations["getMetrics"]
  }
  "/manage/status": {
    get: operations["getStatus"]
  }
  "/manage/configuration": {
    get: operations["getConfiguration"]
  }
  "/manage/statements": {
    get: operations["listSlowStatements"]
    delete: operations["clearSlowStatements"]
  }
  "/openapi.json": {
    get: operations["getPublishedApis"]
  }
  "/manage/openapi.json": {
    get: operations["getManagementApi"]
  }
}

export interface operations {
  /** Gives a token for an API key, a username and a password. */
  logon: {
    parameters: {
      query?: never
      header: {
        /** An API key of the account. */
        "X-Xaas-Api-Key": string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["Logon"]
      }
    }
    responses: {
      /** The token, and what the account may do with it. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["LogonResponse"]
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Ends the token of the call. */
  logoff: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows the account of the token. */
  getCaller: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The account and its roles. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Caller"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Says why the account may make a request, or may not. */
  explainOwnAccess: {
    parameters: {
      query: {
        method: string
        path: string
        /** The identifier of a record that one may read: which conditions on `rows` it meets. */
        row?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The answer, with every authority of the account. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["AccessExplanation"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Says which calls the account may make, of up to 200. */
  listAllowedCalls: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          calls: ({
            method: string
            path: string
          })[]
        }
      }
    }
    responses: {
      /** The calls in the same order. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            calls: ({
              method: string
              path: string
              allowed: boolean
            })[]
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Changes the password of the account, and ends its other tokens. */
  changeOwnPassword: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          password: string
          new_password: string
        }
      }
    }
    responses: {
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the API keys of the account. */
  listOwnApiKeys: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** All of them, without the keys themselves. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["ApiKey"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Creates an API key of the account. */
  createOwnApiKey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          password: string
          name: string
          expire_days?: number | null
          expires_at?: string | null
        }
      }
    }
    responses: {
      /** The new key. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["ApiKeyCreated"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Deletes an API key of the account. */
  deleteOwnApiKey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          password: string
          name: string
        }
      }
    }
    responses: {
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Ends tokens of the account by their hashes. */
  endOwnTokens: {
    parameters: {
      query: {
        hash: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** How many were ended. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            /** How many tokens were ended. */
            ended: number
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Checks the password or the passkey of a person, for services such as the web front. */
  checkLogon: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["LogonCheck"]
      }
    }
    responses: {
      /** A token for the person. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            username: string
            /** Proves later that this browser has logged in with the account. */
            browser: string
            recovery_codes?: (string)[]
            /** The token for every other call. */
            "x-xaas-auth-token": string
            /** When the token expires. */
            expire: string
            /** Whether the account expires. */
            limited: boolean
            role: components['schemas']["OwnRole"]
            /** Each role of the account. */
            roles: (components['schemas']["OwnRole"])[]
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Gives a token for a username and a password, to the pages of the gateway alone. */
  logOnAtPage: {
    parameters: {
      query?: never
      header: {
        /** Any text. */
        "X-Requested-With": string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          username: string
          password?: string
          challenge?: string
          code?: string
        } | {
          /** What `navigator.credentials.get` gave, as its `toJSON` writes it. */
          passkey: {
            id: string
            rawId: string
            type: "public-key"
            response: {
              clientDataJSON: string
              authenticatorData: string
              signature: string
              userHandle?: string | null
            }
          }
        }
      }
    }
    responses: {
      /** The token, and what the account may do with it. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            /** The token for every other call. */
            "x-xaas-auth-token": string
            /** When the token expires. */
            expire: string
            /** Whether the account expires. */
            limited: boolean
            role: components['schemas']["OwnRole"]
            /** Each role of the account. */
            roles: (components['schemas']["OwnRole"])[]
            recovery_codes?: (string)[]
          }
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows whether the account has a second factor. */
  getOwnSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** Without any secret. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            active: boolean
            /** When it was set up; null if it is not active. */
            created: string | null
            /** How many recovery codes are left. */
            recovery_codes: number
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Makes the secret for an authenticator app. It is asked for when it is active. */
  setUpOwnSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          password: string
        }
      }
    }
    responses: {
      /** The secret, which is not shown again. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            secret: string
            /** The same as an address, for a QR code. */
            uri: string
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Activates the second factor, by a code of the authenticator app. */
  activateOwnSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          code: string
        }
      }
    }
    responses: {
      /** The recovery codes. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["RecoveryCodes"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Turns the second factor off, by password and code. */
  turnOffOwnSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          password: string
          code: string
        }
      }
    }
    responses: {
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Replaces the recovery codes, by password and code. */
  renewOwnRecoveryCodes: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          password: string
          code: string
        }
      }
    }
    responses: {
      /** The new codes. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["RecoveryCodes"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Removes the second factor of an account whose owner has lost it. */
  removeSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the account. */
        username: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Gives what a page needs to ask for a passkey. */
  getPasskeyLogonOptions: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The options, whoever logs on; no origins if passkeys are turned off. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            /** Origins of the pages that may use passkeys. */
            origins: (string)[]
            /** As `PublicKeyCredential.parseRequestOptionsFromJSON` takes them; absent if passkeys are turned off. */
            options?: { [key: string]: unknown }
          }
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the passkeys of the account. */
  listOwnPasskeys: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** All of them, oldest first; no origins if passkeys are turned off. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            /** Origins of the pages that may use passkeys. */
            origins: (string)[]
            passkeys: (components['schemas']["Passkey"])[]
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Registers a passkey that a browser has made. */
  registerOwnPasskey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          name: string
          /** What `navigator.credentials.create` gave, as its `toJSON` writes it. */
          credential: {
            id: string
            rawId: string
            type: "public-key"
            response: {
              clientDataJSON: string
              attestationObject: string
              transports?: (string)[]
            }
          }
        }
      }
    }
    responses: {
      /** The new passkey. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Passkey"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Gives what a browser needs to make a passkey. */
  beginOwnPasskey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** What it is to be called: checked here, so that no browser makes one that is then refused. */
          name?: string
          password: string
          code?: string
        }
      }
    }
    responses: {
      /** The options. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            /** Origins of the pages that may use passkeys. */
            origins: (string)[]
            /** As `PublicKeyCredential.parseCreationOptionsFromJSON` takes them. */
            options: { [key: string]: unknown }
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Renames a passkey. */
  renameOwnPasskey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the passkey. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          name: string
        }
      }
    }
    responses: {
      /** The passkey, renamed. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Passkey"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Removes a passkey, by the password. */
  removeOwnPasskey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the passkey. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          password: string
        }
      }
    }
    responses: {
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the passkeys of an account. */
  listPasskeys: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the account. */
        username: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** All of them, oldest first. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["Passkey"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Removes a passkey of an account, as when its owner has lost the device. */
  removePasskey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the account. */
        username: string
        /** The id of the passkey. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the tables and views that the account may read or create records in, by name. */
  listOwnTables: {
    parameters: {
      query?: {
        /** How many records the page has at most. */
        limit?: number
        /** Where the page begins: the header `Link` of the page before has it. */
        after?: string
        /** Whether each table comes with its fields and relations. */
        whole?: "true" | "false" | ""
        /** A part of a name: in GraphQL, in the database or of the entity, in any case. One that begins with a slash is a part of the path of its API, too. */
        q?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** A page of tables. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["ReadableTable"] | components['schemas']["WholeReadableTable"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows a table that the account may read or create records in, with its fields and relations. */
  getOwnTable: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The table. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["WholeReadableTable"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the accounts, by username. */
  listAccounts: {
    parameters: {
      query?: {
        /** How many records the page has at most. */
        limit?: number
        /** Where the page begins: the header `Link` of the page before has it. */
        after?: string
        /** Only records whose name contains this text, in upper or lower case. */
        q?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** A page of accounts. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["Account"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Creates an account with an API key. */
  createAccount: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["AccountToCreate"]
      }
    }
    responses: {
      /** The new account, with its API key. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["AccountCreated"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows an account. */
  getAccount: {
    parameters: {
      query?: never
      header?: {
        /** The ETag of a record that the caller has: the response is 304 without a body if it is still the same. */
        "If-None-Match"?: string
      }
      path: {
        /** The name of the account. */
        username: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The account. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Account"]
        }
      }
      /** The caller has the record already. */
      304: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** The record is not as the conditions of the call say. */
      412: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Changes an account: what is left out stays as it is. */
  changeAccount: {
    parameters: {
      query?: never
      header?: {
        /** The ETag of the record as it was read: it is changed only if it is still the same, otherwise 412. */
        "If-Match"?: string
      }
      path: {
        /** The name of the account. */
        username: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["AccountChange"]
      }
    }
    responses: {
      /** The account, changed. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Account"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** The record is not as the conditions of the call say. */
      412: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Deletes an account, and ends its API keys and tokens. */
  deleteAccount: {
    parameters: {
      query?: never
      header?: {
        /** The ETag of the record as it was read: it is changed only if it is still the same, otherwise 412. */
        "If-Match"?: string
      }
      path: {
        /** The name of the account. */
        username: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** The record is not as the conditions of the call say. */
      412: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Replaces the API key "default" of an account. */
  renewApiKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the account. */
        username: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The new key. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            username: string
            /** The API key; it is shown only now. */
            api_key: string
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the API keys of an account. */
  listApiKeys: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the account. */
        username: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** All of them, without the keys themselves. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["ApiKey"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Creates an API key of an account. */
  createApiKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the account. */
        username: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["ApiKeyToCreate"]
      }
    }
    responses: {
      /** The new key. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["ApiKeyCreated"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows an API key, without the key itself. */
  getApiKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the account. */
        username: string
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The key. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["ApiKey"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Deletes an API key; tokens that it was used for stay valid. */
  deleteApiKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the account. */
        username: string
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the tokens that have not ended, oldest first. */
  listTokens: {
    parameters: {
      query?: {
        account?: string
        /** How many records the page has at most. */
        limit?: number
        /** Where the page begins: the header `Link` of the page before has it. */
        after?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** A page of tokens, without the tokens themselves. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["Token"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Gives a token for an account, for services that log its owner in by other means. */
  createToken: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          account: string
          browser?: string
          id?: string
          tokens?: (string)[]
          expire_days?: number
        }
      }
    }
    responses: {
      /** The token, as from a logon. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            /** The token for every other call. */
            "x-xaas-auth-token": string
            /** When the token expires. */
            expire: string
            /** Whether the account expires. */
            limited: boolean
            role: components['schemas']["OwnRole"]
            /** Each role of the account. */
            roles: (components['schemas']["OwnRole"])[]
            browser?: string
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Ends the tokens of an account, some of them, or all tokens. */
  endTokens: {
    parameters: {
      query?: {
        account?: string
        hash?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** How many were ended. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            /** How many tokens were ended. */
            ended: number
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists who changed what, newest first. */
  listAuditEntries: {
    parameters: {
      query?: {
        /** How many records the page has at most. */
        limit?: number
        /** The id of an entry: only older ones are listed. */
        before?: string
        /** Who did it. */
        account?: string
        action?: "created" | "changed" | "deleted"
        record?: "role" | "account" | "api_key" | "route" | "token" | "entity" | "name"
        /** The name of the record. */
        name?: string
        /** Only what happened at this time or later. */
        from?: string
        /** Only what happened before this time. */
        to?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The entries. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["AuditEntry"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the roles, by name. */
  listRoles: {
    parameters: {
      query?: {
        /** How many records the page has at most. */
        limit?: number
        /** Where the page begins: the header `Link` of the page before has it. */
        after?: string
        /** Only records whose name contains this text, in upper or lower case. */
        q?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** A page of roles. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["Role"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Creates a role. */
  createRole: {
    parameters: {
      query?: {
        /** Whether to say what would be opened and closed, and to change nothing. */
        dry_run?: "true" | "false" | ""
        /** With `dry_run`: the account for which records are counted, as if it had the role; without it, the first three that have it. */
        account?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["RoleToCreate"]
      }
    }
    responses: {
      /** With dry_run: what it would do. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["RoleEffects"]
        }
      }
      /** The new role. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Role"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows a role. */
  getRole: {
    parameters: {
      query?: never
      header?: {
        /** The ETag of a record that the caller has: the response is 304 without a body if it is still the same. */
        "If-None-Match"?: string
      }
      path: {
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The role. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Role"]
        }
      }
      /** The caller has the record already. */
      304: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** The record is not as the conditions of the call say. */
      412: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Replaces a role, or creates it. */
  replaceRole: {
    parameters: {
      query?: {
        /** Whether to say what would be opened and closed, and to change nothing. */
        dry_run?: "true" | "false" | ""
        /** With `dry_run`: the account for which records are counted, as if it had the role; without it, the first three that have it. */
        account?: string
      }
      header?: {
        /** The ETag of the record as it was read: it is changed only if it is still the same, otherwise 412. */
        "If-Match"?: string
        /** `*`: the record is created only, and not replaced; otherwise 412. */
        "If-None-Match"?: string
      }
      path: {
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["RoleToReplace"]
      }
    }
    responses: {
      /** The role, replaced; with dry_run, what that would do. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Role"] | components['schemas']["RoleEffects"]
        }
      }
      /** The role, created. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Role"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** The record is not as the conditions of the call say. */
      412: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Deletes a role that no account has. */
  deleteRole: {
    parameters: {
      query?: never
      header?: {
        /** The ETag of the record as it was read: it is changed only if it is still the same, otherwise 412. */
        "If-Match"?: string
      }
      path: {
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** The record is not as the conditions of the call say. */
      412: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Says why an account may make a request, or may not. */
  explainAccess: {
    parameters: {
      query: {
        account: string
        method: string
        path: string
        /** The identifier of a record: which conditions it meets. */
        row?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The answer, with every authority of the account. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["AccessExplanation"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the routes, by name. */
  listRoutes: {
    parameters: {
      query?: {
        /** How many records the page has at most. */
        limit?: number
        /** Where the page begins: the header `Link` of the page before has it. */
        after?: string
        /** Only records whose name contains this text, in upper or lower case. */
        q?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** A page of routes. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["Route"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Creates a route. */
  createRoute: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["RouteToCreate"]
      }
    }
    responses: {
      /** The new route. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Route"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows a route. */
  getRoute: {
    parameters: {
      query?: never
      header?: {
        /** The ETag of a record that the caller has: the response is 304 without a body if it is still the same. */
        "If-None-Match"?: string
      }
      path: {
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The route. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Route"]
        }
      }
      /** The caller has the record already. */
      304: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** The record is not as the conditions of the call say. */
      412: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Replaces a route, or creates it. */
  replaceRoute: {
    parameters: {
      query?: never
      header?: {
        /** The ETag of the record as it was read: it is changed only if it is still the same, otherwise 412. */
        "If-Match"?: string
        /** `*`: the record is created only, and not replaced; otherwise 412. */
        "If-None-Match"?: string
      }
      path: {
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["RouteToReplace"]
      }
    }
    responses: {
      /** The route, replaced. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Route"]
        }
      }
      /** The route, created. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Route"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** The record is not as the conditions of the call say. */
      412: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Deletes a route. */
  deleteRoute: {
    parameters: {
      query?: never
      header?: {
        /** The ETag of the record as it was read: it is changed only if it is still the same, otherwise 412. */
        "If-Match"?: string
      }
      path: {
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** The record is not as the conditions of the call say. */
      412: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the health of the targets of routes, by the names of the routes. */
  listRouteHealth: {
    parameters: {
      query?: {
        /** How many records the page has at most. */
        limit?: number
        /** Where the page begins: the header `Link` of the page before has it. */
        after?: string
        /** Only records whose name contains this text, in upper or lower case. */
        q?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** Those of a page of routes that have targets. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["RouteHealth"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows the health of the targets of a route, as the node that responds has found them. */
  getRouteHealth: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** Its targets; none for an API of the gateway itself. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["RouteHealth"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the entities, by name. */
  listEntities: {
    parameters: {
      query?: {
        /** How many records the page has at most. */
        limit?: number
        /** Where the page begins: the header `Link` of the page before has it. */
        after?: string
        /** Only records whose name contains this text, in upper or lower case. */
        q?: string
        /** Whether the definitions are in the list; without them it is short. */
        definition?: "true" | "false"
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** A page of entities. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["EntityListed"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Creates or changes entities and their tables; all of an upload or nothing. */
  uploadEntities: {
    parameters: {
      query?: {
        dry_run?: "true" | "false" | ""
        allow_destructive?: "true" | "false" | ""
        /** The hash of a plan, by dry_run: only this plan is carried out, otherwise the response is 412. */
        plan?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["EntityDefinition"] | (components['schemas']["EntityDefinition"])[]
      }
    }
    responses: {
      /** With dry_run: what an upload would do. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["EntityPlan"]
        }
      }
      /** The entity, or a list of them if a list was uploaded. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Entity"] | (components['schemas']["Entity"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows an entity. */
  getEntity: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The entity, and how its table differs from its definition. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            name: string
            /** The path of its published API; null if there is none. */
            resource: string | null
            /** The definition as it was uploaded; EntityDefinition says what it may hold. */
            definition: { [key: string]: unknown }
            /** Username of the last uploader. */
            changed_by: string
            /** When it was uploaded last. */
            changed_at: string
            /** How the table differs from the definition. */
            drift: (string)[]
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Deletes an entity and its table; of an adopted table only the definition. */
  deleteEntity: {
    parameters: {
      query?: {
        dry_run?: "true" | "false" | ""
        allow_destructive?: "true" | "false" | ""
        /** The hash of a plan, by dry_run: only this plan is carried out, otherwise the response is 412. */
        plan?: string
      }
      header?: never
      path: {
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** With dry_run: what the deletion would do. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["EntityPlan"]
        }
      }
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Makes entities of existing tables, which stay as they are. */
  adoptTables: {
    parameters: {
      query?: {
        dry_run?: "true" | "false" | ""
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["TablesToAdopt"]
      }
    }
    responses: {
      /** With dry_run: the definitions that would be stored. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["EntityToAdopt"])[]
        }
      }
      /** The new entities. */
      201: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["EntityAdopted"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the entities whose tables differ from their definitions. */
  listDrift: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** Those that differ. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["DriftedEntity"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the versions of a definition, newest first. */
  listEntityVersions: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** All of them; those of a deleted entity, too. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["EntityVersion"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows a version of a definition. */
  getEntityVersion: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the record. */
        name: string
        /** The number of a version, from 1. */
        version: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The version. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            name: string
            version: number
            action: "created" | "changed" | "deleted"
            changed_by: string
            /** When it was uploaded. */
            changed_at: string
            /** The differences from the version before, a few words each. */
            summary: (string)[]
            /** Null if the entity was deleted. */
            definition: { [key: string]: unknown } | null
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Compares two versions of a definition; without `to`, a version with the one before. */
  compareEntityVersions: {
    parameters: {
      query?: {
        to?: string
      }
      header?: never
      path: {
        /** The name of the record. */
        name: string
        /** The number of a version, from 1. */
        version: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The differences. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["EntityVersionDifference"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows the version of the served schema. */
  getSchemaVersion: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The version. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            /** Number and hash, for comparison. */
            version: string
            /** How often definitions have changed. */
            number: number
            /** Differs whenever the served schema differs. */
            hash: string
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Reads the tables again, on all nodes. */
  reloadSchema: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** What has changed. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["SchemaReloaded"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the tables and views of the database, by GraphQL name: entities or not. */
  listTables: {
    parameters: {
      query?: {
        /** How many records the page has at most. */
        limit?: number
        /** Where the page begins: the header `Link` of the page before has it. */
        after?: string
        /** A part of the GraphQL name or of the name in the database, in any case. */
        q?: string
        kind?: "table" | "view"
        /** Whether the table is that of an entity. */
        entity?: "true" | "false"
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** A page of tables. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["Table"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows a table by its GraphQL name. */
  getTable: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the record. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The table. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Table"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the GraphQL names of tables and fields. */
  listNames: {
    parameters: {
      query?: {
        /** How many records the page has at most. */
        limit?: number
        /** Where the page begins: the header `Link` of the page before has it. */
        after?: string
        kind?: "table" | "field" | "reference" | "collection"
        chosen?: "true" | "false" | ""
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** A page of names. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": (components['schemas']["GraphqlName"])[]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Chooses a GraphQL name. */
  chooseName: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["GraphqlNameChoice"]
      }
    }
    responses: {
      /** The name. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["GraphqlName"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Goes back to the default name. */
  releaseName: {
    parameters: {
      query: {
        kind: "table" | "field" | "reference" | "collection"
        of: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** It is done. */
      204: {
        headers: { [name: string]: unknown }
        content?: never
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows the GraphQL schema as text, or runs a query. */
  getGraphqlSchema: {
    parameters: {
      query?: {
        /** The document of a query; without it the schema is shown. */
        query?: string
        /** In place of the document: the id or SHA-256 hash of a stored one. */
        documentId?: string
        operationName?: string
        /** JSON. */
        variables?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The schema; with `query`, the result. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            /** The schema definition language. */
            schema: string
          } | components['schemas']["GraphqlResponse"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Runs a GraphQL operation. */
  executeGraphql: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components['schemas']["GraphqlRequest"]
      }
    }
    responses: {
      /** The result, as GraphQL over HTTP says. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["GraphqlResponse"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Says whether the process responds. */
  getHealth: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** It does. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Health"]
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Says whether the gateway can do its work. */
  getReadiness: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** It can. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Health"]
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows counters and durations for Prometheus. */
  getMetrics: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The text format of Prometheus. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "text/plain": string
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows what runs, and how it has been doing for 15 minutes. */
  getStatus: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The status. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Status"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Shows every option as it is in force, and where its value comes from; no secrets. */
  getConfiguration: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The options of the command that runs, in the order of its help. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["Configuration"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Lists the statements that took long at the node that responds, without their values. */
  listSlowStatements: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** At most 200; those that took longest in all come first. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": components['schemas']["SlowStatements"]
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Empties the list of slow statements. */
  clearSlowStatements: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** How many there were. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": {
            /** How many different statements there were. */
            removed: number
          }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Describes the published APIs, and the routes to upstream APIs, that the caller may call. */
  getPublishedApis: {
    parameters: {
      query?: {
        /** The name of the only entity to describe. */
        entity?: string
        /** The name of the only route to an upstream API to describe. */
        route?: string
        /** Whether to describe operations. Without them, `tags` list the entities and the routes to upstream APIs: `x-path` is the path of each, and `x-route` the name of a route. */
        operations?: "true" | "false"
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** An OpenAPI 3.1 document. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": { [key: string]: unknown }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
  /** Describes the gateway's own paths: this document. */
  getManagementApi: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** An OpenAPI 3.1 document. */
      200: {
        headers: { [name: string]: unknown }
        content: {
          "application/json": { [key: string]: unknown }
        }
      }
      /** The token is missing, unknown or expired; or, with an empty object, the role does not allow the call. */
      401: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"] | Record<string, never>
        }
      }
      /** Any other error; its code says which. */
      default: {
        headers: { [name: string]: unknown }
        content: {
          "application/problem+json": components['schemas']["Problem"]
        }
      }
    }
  }
}

export interface components {
  schemas: {
    /** An error (RFC 9457). */
    Problem: {
      /** The path of the page that explains the code. */
      type: string
      /** True of every error with this code. */
      title: string
      /** The status of the response. */
      status: number
      /** Stable; for programs. */
      code: string
      /** What is wrong in this case, and what to do; for people. */
      detail: string
      /** Names the request in the log of the gateway. */
      requestId: string
      /** The trace id that the request sent. */
      traceId?: string
      /** Every mistake with its place. */
      errors?: ({
        /** A JSON pointer into what was sent. */
        pointer: string
        detail: string
      })[]
    }
    LogonResponse: {
      /** The token for every other call. */
      "x-xaas-auth-token": string
      /** When the token expires. */
      expire: string
      /** Whether the account expires. */
      limited: boolean
      role: components['schemas']["OwnRole"]
      /** Each role of the account. */
      roles: (components['schemas']["OwnRole"])[]
    }
    Logon: {
      username: string
      password: string
    }
    LogonCheck: {
      username: string
      password?: string
      challenge?: string
      code?: string
      address: string
      browsers?: (string)[]
      api_key?: string
    } | {
      /** What `navigator.credentials.get` gave, as its `toJSON` writes it. */
      passkey: {
        id: string
        rawId: string
        type: "public-key"
        response: {
          clientDataJSON: string
          authenticatorData: string
          signature: string
          userHandle?: string | null
        }
      }
      address: string
      browsers?: (string)[]
    }
    Caller: {
      username: string
      /** Changes if the account is created again; null if it has just been deleted. */
      id: string | null
      role: components['schemas']["OwnRole"]
      roles: (components['schemas']["OwnRole"])[]
      metadata: { [key: string]: unknown }
      /** Whether the account expires. */
      limited: boolean
      /** When the account expires; null if it does not. */
      account_expire: string | null
      /** When the token expires. */
      expire: string
    }
    RecoveryCodes: {
      /** Each replaces a code once. They are not shown again. */
      recovery_codes: (string)[]
    }
    Passkey: {
      /** Identifies it. */
      id: string
      /** What its owner calls it. */
      name: string
      /** When it was registered. */
      created: string
      /** When it was last used; null if it never was. */
      last_used: string | null
      /** Whether it is kept outside the device, too. */
      backed_up: boolean
      /** How browsers reach the authenticator. */
      transports: (string)[]
    }
    ReadableTable: {
      /** The name in GraphQL. */
      name: string
      /** The name in the database. */
      table: string
      /** The schema in the database; absent if the product has none. */
      schema?: string
      kind: "table" | "view"
      /** The comment in the database. */
      comment?: string
      /** Whether the account may read it through GraphQL. */
      graphql: boolean
      /** The name of its entity; null if it has none. */
      entity: string | null
      /** The published API of the entity; null if it has none. */
      api: {
        /** Its path. */
        path: string
        /** The methods that the account may use on the list: GET, POST. */
        list: (string)[]
        /** The methods that the account may use on some record: GET, PUT, PATCH, DELETE. */
        record: (string)[]
      } | null
    }
    WholeReadableTable: {
      /** The name in GraphQL. */
      name: string
      /** The name in the database. */
      table: string
      /** The schema in the database; absent if the product has none. */
      schema?: string
      kind: "table" | "view"
      /** The comment in the database. */
      comment?: string
      /** Whether the account may read it through GraphQL. */
      graphql: boolean
      /** The name of its entity; null if it has none. */
      entity: string | null
      /** Whether the account may compute counts and totals of it through GraphQL: `totalCount`, `aggregates` and `groups`. */
      totals: boolean
      api: {
        /** Its path. */
        path: string
        /** The methods that the account may use on the list: GET, POST. */
        list: (string)[]
        /** The methods that the account may use on some record: GET, PUT, PATCH, DELETE. */
        record: (string)[]
        /** The fields of a record's address, by their names in the API. */
        key: (string)[]
        /** Whether the table is adopted: in the address of a record, special characters of the key are then escaped. */
        adopted: boolean
      } | null
      /** The fields that a GlobalId is made of, as far as they may be read; none if the table has no key. */
      key: (string)[]
      /** Whether its rows have a GlobalId, whether or not its fields may be read. */
      has_global_id: boolean
      /** In the order of the table. */
      fields: (components['schemas']["TableField"])[]
      /** Those that the account may write, and not read. */
      unread_fields: (components['schemas']["TableField"])[]
      /** The rows that its foreign keys reference. */
      references: (components['schemas']["TableRelation"])[]
      /** The rows whose foreign keys reference it. */
      collections: (components['schemas']["TableRelation"])[]
    }
    TableField: {
      /** The name in GraphQL. */
      name: string
      /** The name of its column. */
      column: string
      /** The GraphQL type, without "!". */
      type: string
      /** What its values are, whichever the product. */
      kind: "string" | "uuid" | "integer" | "bigint" | "float" | "decimal" | "boolean" | "dateTime" | "date" | "time" | "json" | "binary" | "other"
      /** The type of the column, as the database calls it. */
      native_type: string
      /** The name in the published API; absent if it is not there. */
      api_name?: string
      /** The type in the entity definition. */
      entity_type?: string
      nullable: boolean
      /** The allowed values. */
      enum?: (unknown)[]
      /** What the gateway writes if a record is sent without the field. */
      default?: {
        value: unknown
      } | {
        made: "now" | "uuid"
      }
      /** The database supplies a value if a record is sent without the field. */
      has_database_default?: true
      /** It never changes after the record is created. */
      immutable?: true
      /** Its values are unique by themselves. */
      unique?: true
      /** Requests never choose its value: the database or the gateway does, or the rights of the account. */
      read_only?: true
      /** The account may change it, and not choose its value in new records. */
      not_on_creation?: true
      /** The comment in the database. */
      comment?: string
    }
    TableRelation: {
      /** The name in GraphQL. */
      name: string
      /** The name of the other table. */
      table: string
      /** The field of the same foreign key in the other table. */
      other_name: string
      /** Whether the rows of the other table have a GlobalId. */
      has_global_id: boolean
      /** Two rows are related if these fields are equal, pair by pair. */
      fields: ({
        own: string
        other: string
      })[]
    }
    Account: {
      username: string
      /** The name of its role, or a list if it has several. */
      role: string | (string)[]
      /** The requested lifetime. */
      expire_days: number | null
      /** When the account expires; null if it does not. */
      expire: string | null
      disabled: boolean
      metadata: { [key: string]: unknown }
      limits?: components['schemas']["Limits"]
      /** When it was created. */
      created: string
      /** If the account has an active second factor. */
      second_factor?: true
      /** How many passkeys the account has, if any. */
      passkeys?: number
    }
    AccountCreated: {
      username: string
      /** The name of its role, or a list if it has several. */
      role: string | (string)[]
      /** The requested lifetime. */
      expire_days: number | null
      /** When the account expires; null if it does not. */
      expire: string | null
      disabled: boolean
      metadata: { [key: string]: unknown }
      limits?: components['schemas']["Limits"]
      /** When it was created. */
      created: string
      /** The API key; it is shown only now. */
      api_key: string
    }
    AccountToCreate: {
      username: string
      password: string
      /** The name of its role, or a list of names. */
      role: string | (string)[]
      /** In how many days the account expires; null or left out if it does not. */
      expire_days?: number | null
      /** Anything about the account. */
      metadata?: { [key: string]: unknown }
      /** Whether it can neither log on nor use its tokens. */
      disabled?: boolean
      limits?: {
        requests: number
        per: number
      } | null
    }
    AccountChange: {
      password?: string
      /** The name of its role, or a list of names. */
      role?: string | (string)[]
      /** In how many days the account expires; null or left out if it does not. */
      expire_days?: number | null
      /** Anything about the account. */
      metadata?: { [key: string]: unknown }
      /** Whether it can neither log on nor use its tokens. */
      disabled?: boolean
      limits?: {
        requests: number
        per: number
      } | null
      /** When the account expires, as a date and time; null if it does not. It decides if `expire_days` is sent, too. */
      expire?: string | null
    }
    ApiKey: {
      name: string
      /** How the key begins; null if the gateway did not make it. */
      prefix: string | null
      /** When it was created. */
      created: string
      /** When it expires; null if it does not. */
      expires_at: string | null
      /** When it was last used, to the minute; null if never. */
      last_used: string | null
    }
    ApiKeyCreated: {
      name: string
      /** How the key begins; null if the gateway did not make it. */
      prefix: string | null
      /** When it was created. */
      created: string
      /** When it expires; null if it does not. */
      expires_at: string | null
      /** When it was last used, to the minute; null if never. */
      last_used: string | null
      /** The API key; it is shown only now. */
      api_key: string
    }
    ApiKeyToCreate: {
      name: string
      expire_days?: number | null
      expires_at?: string | null
    }
    Token: {
      username: string
      /** Its SHA-256 in base64url, by which it can be ended. */
      hash: string
      /** When it was given. */
      created: string
      /** When it expires. */
      expire: string
    }
    AuditEntry: {
      /** Sorts by time. */
      id: string
      /** When it happened. */
      at: string
      /** Who did it; null for the program itself. */
      account: string | null
      /** The network address of the client; empty for the program itself. */
      address: string
      request_id: string
      action: "created" | "changed" | "deleted"
      record: "role" | "account" | "api_key" | "route" | "token" | "entity" | "name"
      /** The name of the record; of an API key, that of its account. */
      name: string
      /** Which part of the record, in a few words; never a value. */
      detail: string
      /** By members of the record, what each was and is: without `before` it is new, without `after` it is gone. Without both it has changed, and its values are not kept: passwords, metadata of accounts, headers of routes, and very long ones. Empty for other records. */
      changes: { [key: string]: {
        before?: unknown
        after?: unknown
      } }
    }
    Role: {
      name: string
      authorities: (components['schemas']["Authority"])[]
      /** The roles that it may give. */
      gives?: "*" | (string)[]
      limits?: components['schemas']["Limits"]
      /** Where the routes may lead that it lets write. */
      targets?: (string)[]
      /** What is perhaps not intended, after it was written; in sentences. */
      warnings?: (string)[]
    }
    RoleToCreate: {
      name: string
      authorities: ({
        /** A regular expression in RE2 syntax; it must match the whole path, without the query. */
        regex: string
        methods: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[]
        /** Admits only the records that this composite filter selects: a list is AND, a list inside is OR. A value may be `{"account": "username"}`, `{"account": "roles"}`, `{"account": "metadata.<key>"}` or `{"now": "-P7D"}`. */
        rows?: ({
          key: string
          op: "==" | "!=" | "<=" | ">=" | ">" | "<" | "starts" | "ends" | "contains" | "iequals" | "istarts" | "iends" | "icontains" | "in" | "not in" | "between" | "isnull" | "some" | "every" | "none"
          val: unknown
        } | (unknown)[])[]
        /** The fields that it gives; all without `read`, those of `read` without `write`. */
        fields?: {
          read?: (string)[]
          write?: (string)[]
        }
        /** Values that records get when they are written because of it, by the names of fields; as in `rows`, of the account or the time. */
        set?: { [key: string]: unknown }
      })[]
      /** The roles that its accounts may give to accounts, and whose accounts they may act on; `*` for all. */
      gives?: "*" | (string)[]
      limits?: {
        requests: number
        per: number
      }
      /** Origins to which its accounts may lead routes; left out for any. */
      targets?: (string)[]
    }
    RoleToReplace: {
      name?: string
      authorities: ({
        /** A regular expression in RE2 syntax; it must match the whole path, without the query. */
        regex: string
        methods: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[]
        /** Admits only the records that this composite filter selects: a list is AND, a list inside is OR. A value may be `{"account": "username"}`, `{"account": "roles"}`, `{"account": "metadata.<key>"}` or `{"now": "-P7D"}`. */
        rows?: ({
          key: string
          op: "==" | "!=" | "<=" | ">=" | ">" | "<" | "starts" | "ends" | "contains" | "iequals" | "istarts" | "iends" | "icontains" | "in" | "not in" | "between" | "isnull" | "some" | "every" | "none"
          val: unknown
        } | (unknown)[])[]
        /** The fields that it gives; all without `read`, those of `read` without `write`. */
        fields?: {
          read?: (string)[]
          write?: (string)[]
        }
        /** Values that records get when they are written because of it, by the names of fields; as in `rows`, of the account or the time. */
        set?: { [key: string]: unknown }
      })[]
      /** The roles that its accounts may give to accounts, and whose accounts they may act on; `*` for all. */
      gives?: "*" | (string)[]
      limits?: {
        requests: number
        per: number
      }
      /** Origins to which its accounts may lead routes; left out for any. */
      targets?: (string)[]
    }
    OwnRole: {
      name: string
      authorities: (components['schemas']["OwnAuthority"])[]
    }
    OwnAuthority: {
      /** A regular expression in RE2 syntax that must match the whole path. */
      regex: string
      methods: (string)[]
    }
    Authority: {
      /** A regular expression in RE2 syntax that must match the whole path. */
      regex: string
      methods: (string)[]
      /** Admits only the records that this composite filter selects: a list is AND, a list inside is OR. A value may be `{"account": "username"}`, `{"account": "roles"}`, `{"account": "metadata.<key>"}` or `{"now": "-P7D"}`. */
      rows?: ({
        key: string
        op: "==" | "!=" | "<=" | ">=" | ">" | "<" | "starts" | "ends" | "contains" | "iequals" | "istarts" | "iends" | "icontains" | "in" | "not in" | "between" | "isnull" | "some" | "every" | "none"
        val: unknown
      } | (unknown)[])[]
      /** The fields that it gives; all without `read`, those of `read` without `write`. */
      fields?: {
        read?: (string)[]
        write?: (string)[]
      }
      /** Values that records get when they are written because of it, by the names of fields; as in `rows`, of the account or the time. */
      set?: { [key: string]: unknown }
    }
    /** So many requests in so many seconds. */
    Limits: {
      requests: number
      per: number
    }
    RoleEffects: {
      role: components['schemas']["Role"]
      /** Whether there is no such role yet. */
      created: boolean
      /** What is perhaps not intended; in sentences. */
      warnings?: (string)[]
      /** How many accounts have the role. */
      accounts: number
      /** Calls that the role would allow, and does not now. */
      opens: ({
        method: string
        /** `/apis/ports/*` is some path one segment below. */
        path: string
        /** How many accounts may make the call because of the change, or no longer. */
        accounts: number
      })[]
      /** Calls that the role allows now, and would not. */
      closes: ({
        method: string
        /** `/apis/ports/*` is some path one segment below. */
        path: string
        /** How many accounts may make the call because of the change, or no longer. */
        accounts: number
      })[]
      /** Whether there are more than 500. */
      truncated: boolean
      /** What changes of the records of entities, for accounts. */
      records: ({
        entity: string
        /** Null for one that has this role only, and none of the values that conditions name. */
        account: string | null
        /** `GET` is reading, in GraphQL too. */
        method: "GET" | "PUT" | "PATCH" | "DELETE"
        /** Whether the numbers are there: not if the caller may not read the whole table, or counting takes too long. */
        counted: boolean
        /** How many records it reaches because of the change. */
        opens?: number
        /** How many records it no longer reaches. */
        closes?: number
        /** Fields that change on records that are reached before and after. */
        fields?: ({
          name: string
          /** On how many it is given because of the change. */
          opens: number
          /** On how many it is no longer given. */
          closes: number
        })[]
      })[]
      /** Whether there may be more: than 100, or than were found in five seconds. */
      records_truncated: boolean
    }
    AccessExplanation: {
      allowed: boolean
      /** What decides: a public route, an authority, or authorities for some parts; or that the path is refused for everyone, the account is disabled or has expired, only authorities with conditions on records match, the method does not match, or nothing does. */
      because: "public" | "authority" | "parts" | "path" | "disabled" | "expired" | "conditions" | "method" | "nothing"
      /** The answer in one sentence. */
      reason: string
      /** The path as it is authorized; absent if it is refused for everyone. */
      path?: string
      scope?: "public" | "protected"
      roles?: ({
        name: string
        authorities: ({
          regex: string
          methods: (string)[]
          path_matches: boolean
          method_matches: boolean
          /** Admits only the records that this composite filter selects: a list is AND, a list inside is OR. A value may be `{"account": "username"}`, `{"account": "roles"}`, `{"account": "metadata.<key>"}` or `{"now": "-P7D"}`. */
          rows?: ({
            key: string
            op: "==" | "!=" | "<=" | ">=" | ">" | "<" | "starts" | "ends" | "contains" | "iequals" | "istarts" | "iends" | "icontains" | "in" | "not in" | "between" | "isnull" | "some" | "every" | "none"
            val: unknown
          } | (unknown)[])[]
          /** The fields that it gives; all without `read`, those of `read` without `write`. */
          fields?: {
            read?: (string)[]
            write?: (string)[]
          }
          /** Values that records get when they are written because of it, by the names of fields; as in `rows`, of the account or the time. */
          set?: { [key: string]: unknown }
          /** What the expression was probably meant to be, or why it grants nothing at this path. */
          advice?: string
          /** Whether its conditions on rows admit the record that `row` names; `failed` has the pointers of those that do not. */
          row?: {
            admitted: boolean
            failed: (string)[]
          }
        })[]
        targets?: (string)[]
      })[]
      /** The public route that decides, if it has conditions: what it allows anyone. */
      route?: {
        name: string
        path: string
        methods: (string)[]
        /** Admits only the records that this composite filter selects: a list is AND, a list inside is OR. A value may be `{"account": "username"}`, `{"account": "roles"}`, `{"account": "metadata.<key>"}` or `{"now": "-P7D"}`. */
        rows?: ({
          key: string
          op: "==" | "!=" | "<=" | ">=" | ">" | "<" | "starts" | "ends" | "contains" | "iequals" | "istarts" | "iends" | "icontains" | "in" | "not in" | "between" | "isnull" | "some" | "every" | "none"
          val: unknown
        } | (unknown)[])[]
        /** The fields that it gives; all without `read`, those of `read` without `write`. */
        fields?: {
          read?: (string)[]
          write?: (string)[]
        }
        /** Values that records get when they are written because of it, by the names of fields; as in `rows`, of the account or the time. */
        set?: { [key: string]: unknown }
        /** Whether its conditions on rows admit the record that `row` names; `failed` has the pointers of those that do not. */
        row?: {
          admitted: boolean
          failed: (string)[]
        }
      }
      /** The parts that are allowed, if not all are: for /graphql, entities. */
      only?: (string)[]
    }
    Route: {
      name: string
      /** A decoded path; `:name` is one segment, a final `/*` any rest below. */
      path: string
      methods: (string)[]
      scope: "public" | "protected"
      /** The upstream API. */
      target?: string | (string)[]
      prefix?: string
      timeout?: {
        /** For a connection, in seconds. */
        connect: number
        /** Until the head of the response, in seconds. */
        response: number
        /** Without a byte, in seconds. */
        idle: number
      }
      health?: {
        /** The path that is asked. */
        path: string
        /** Between two checks, in seconds. */
        interval: number
        /** For a check, in seconds. */
        timeout: number
        /** How many checks in a row decide. */
        threshold: number
      }
      headers?: {
        set: { [key: string]: string | {
          /** The name of a secret of the configuration. */
          secret: string
          prefix?: string
        } }
      }
      rewrite?: boolean
      /** Admits only the records that this composite filter selects: a list is AND, a list inside is OR. A value may be `{"account": "username"}`, `{"account": "roles"}`, `{"account": "metadata.<key>"}` or `{"now": "-P7D"}`. */
      rows?: ({
        key: string
        op: "==" | "!=" | "<=" | ">=" | ">" | "<" | "starts" | "ends" | "contains" | "iequals" | "istarts" | "iends" | "icontains" | "in" | "not in" | "between" | "isnull" | "some" | "every" | "none"
        val: unknown
      } | (unknown)[])[]
      /** The fields that it gives; all without `read`, those of `read` without `write`. */
      fields?: {
        read?: (string)[]
        write?: (string)[]
      }
      /** Values that records get when they are written because of it, by the names of fields; as in `rows`, of the account or the time. */
      set?: { [key: string]: unknown }
      /** What is perhaps not intended, after it was written; in sentences. */
      warnings?: (string)[]
    }
    RouteToCreate: {
      name: string
      /** A decoded path; `:name` is one segment, a final `/*` any rest below. */
      path: string
      methods: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[]
      scope?: "public" | "protected"
      /** The address of the upstream API, or several; left out for an API of the gateway itself. */
      target?: string | (string)[]
      /** The front of the path that the upstream does not get. */
      prefix?: string
      timeout?: {
        connect?: number
        response?: number
        idle?: number
      }
      health?: {
        path: string
        interval?: number
        timeout?: number
        threshold?: number
      }
      headers?: {
        set: { [key: string]: string | {
          secret: string
          prefix?: string
        } }
      }
      /** Whether cookies and links of the upstream are translated. */
      rewrite?: boolean
      /** Admits only the records that this composite filter selects: a list is AND, a list inside is OR. A value may be `{"account": "username"}`, `{"account": "roles"}`, `{"account": "metadata.<key>"}` or `{"now": "-P7D"}`. */
      rows?: ({
        key: string
        op: "==" | "!=" | "<=" | ">=" | ">" | "<" | "starts" | "ends" | "contains" | "iequals" | "istarts" | "iends" | "icontains" | "in" | "not in" | "between" | "isnull" | "some" | "every" | "none"
        val: unknown
      } | (unknown)[])[]
      /** The fields that it gives; all without `read`, those of `read` without `write`. */
      fields?: {
        read?: (string)[]
        write?: (string)[]
      }
      /** Values that records get when they are written because of it, by the names of fields; as in `rows`, of the account or the time. */
      set?: { [key: string]: unknown }
    }
    RouteToReplace: {
      name?: string
      /** A decoded path; `:name` is one segment, a final `/*` any rest below. */
      path: string
      methods: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[]
      scope?: "public" | "protected"
      /** The address of the upstream API, or several; left out for an API of the gateway itself. */
      target?: string | (string)[]
      /** The front of the path that the upstream does not get. */
      prefix?: string
      timeout?: {
        connect?: number
        response?: number
        idle?: number
      }
      health?: {
        path: string
        interval?: number
        timeout?: number
        threshold?: number
      }
      headers?: {
        set: { [key: string]: string | {
          secret: string
          prefix?: string
        } }
      }
      /** Whether cookies and links of the upstream are translated. */
      rewrite?: boolean
      /** Admits only the records that this composite filter selects: a list is AND, a list inside is OR. A value may be `{"account": "username"}`, `{"account": "roles"}`, `{"account": "metadata.<key>"}` or `{"now": "-P7D"}`. */
      rows?: ({
        key: string
        op: "==" | "!=" | "<=" | ">=" | ">" | "<" | "starts" | "ends" | "contains" | "iequals" | "istarts" | "iends" | "icontains" | "in" | "not in" | "between" | "isnull" | "some" | "every" | "none"
        val: unknown
      } | (unknown)[])[]
      /** The fields that it gives; all without `read`, those of `read` without `write`. */
      fields?: {
        read?: (string)[]
        write?: (string)[]
      }
      /** Values that records get when they are written because of it, by the names of fields; as in `rows`, of the account or the time. */
      set?: { [key: string]: unknown }
    }
    RouteHealth: {
      name: string
      /** Whether the route has a health check. */
      checked: boolean
      targets: ({
        /** Its address. */
        target: string
        /** `unknown` as long as nothing was sent to it. */
        state: "unknown" | "healthy" | "unhealthy"
        /** Since when it is in this state. */
        since: string
        /** The last one; null if there was none. */
        failure: {
          /** In a sentence. */
          reason: string
          /** When it was. */
          at: string
        } | null
      })[]
    }
    Entity: {
      name: string
      /** The path of its published API; null if there is none. */
      resource: string | null
      /** The definition as it was uploaded; EntityDefinition says what it may hold. */
      definition: { [key: string]: unknown }
      /** Username of the last uploader. */
      changed_by: string
      /** When it was uploaded last. */
      changed_at: string
    }
    EntityListed: {
      name: string
      /** The path of its published API; null if there is none. */
      resource: string | null
      /** The definition as it was uploaded; EntityDefinition says what it may hold. */
      definition?: { [key: string]: unknown }
      /** Username of the last uploader. */
      changed_by: string
      /** When it was uploaded last. */
      changed_at: string
      /** How many fields it has; only without the definition. */
      field_count?: number
      /** Whether its table was adopted; only without the definition. */
      adopted?: boolean
    }
    EntityDefinition: {
      category?: string
      name: string
      renamed_from?: string | null
      resource?: string | null
      persistence?: boolean
      api_generation?: boolean
      abstract?: boolean
      adopted?: {
        key: (string)[]
        left_out?: (string)[]
        schema?: string
        table?: string
      } | null
      attributes?: {
        identifier?: {
          field_name: string
          renamed_from?: string | null
          field_type: "string" | "integer"
          field_persistence?: boolean
          field_column?: string | null
          field_immutable?: boolean
        }
        local_fields?: ({
          field_name: string
          renamed_from?: string | null
          field_type: "string" | "text" | "integer" | "float" | "decimal" | "boolean" | "DateTime" | "Date" | "array" | "object"
          field_persistence?: boolean
          field_column?: string | null
          field_nullable?: boolean
          field_immutable?: boolean
          field_unique?: boolean
          /** An expression, such as "now()" or "[]". */
          field_default?: string | null
          field_enum?: (unknown)[] | null
        })[]
        ref_fields?: ({
          field_name: string
          renamed_from?: string | null
          field_type: "string" | "text" | "integer" | "float" | "decimal" | "boolean" | "DateTime" | "Date" | "array" | "object"
          field_persistence?: boolean
          field_column?: string | null
          field_nullable?: boolean
          field_immutable?: boolean
          field_unique?: boolean
          /** An expression, such as "now()" or "[]". */
          field_default?: string | null
          ref_class: string
          ref_class_field: string
        })[]
      }
      methods?: {
        class_methods?: (unknown)[]
        instance_methods?: (unknown)[]
      }
    }
    EntityPlan: {
      /** Of the plan: as the parameter `plan` it lets the same call carry out this plan only. */
      hash: string
      /** Whether the same call with the same flags would succeed. */
      possible: boolean
      problems: ({
        /** A JSON pointer into the upload; empty for a deletion. */
        pointer: string
        detail: string
        allowed_by: "allow_destructive" | null
      })[]
      entities: ({
        name: string
        renamed_from?: string
        drift?: (string)[]
        steps: (components['schemas']["EntityStep"])[]
      })[]
    }
    EntityStep: {
      /** What is done. */
      kind: string
      field?: string
      /** The same in a sentence. */
      description: string
      /** The statements. */
      sql: (string)[]
      /** What happens to rows that exist, in a sentence. */
      rows: string
      /** How many rows change or lose data. */
      row_count: number
      /** Whether rows lose data. */
      destructive: boolean
      /** Whether it can be undone without a loss. */
      undoable: boolean
      table: "instant" | "read" | "rewritten"
      blocks: "nothing" | "writes" | "everything"
    }
    EntityAdopted: {
      name: string
      /** The path of its published API; null if there is none. */
      resource: string | null
      /** The definition as it was uploaded; EntityDefinition says what it may hold. */
      definition: { [key: string]: unknown }
      /** Username of the last uploader. */
      changed_by: string
      /** When it was uploaded last. */
      changed_at: string
      /** What of the table is not served, or read-only. */
      warnings: (string)[]
    }
    EntityToAdopt: {
      name: string
      /** The path of its published API; null if there is none. */
      resource: string | null
      /** The definition as it was uploaded; EntityDefinition says what it may hold. */
      definition: { [key: string]: unknown }
      /** What of the table is not served, or read-only. */
      warnings: (string)[]
    }
    EntityVersion: {
      version: number
      action: "created" | "changed" | "deleted"
      changed_by: string
      /** When it was uploaded. */
      changed_at: string
      /** The differences from the version before, a few words each. */
      summary: (string)[]
    }
    EntityVersionDifference: {
      from: number
      to: number
      changes: ({
        kind: "added" | "removed" | "changed"
        /** A JSON pointer into the later version; of what was removed, into the earlier one. */
        pointer: string
        field?: string
        from?: unknown
        to?: unknown
      })[]
    }
    TablesToAdopt: {
      tables?: (string)[]
      definitions?: (unknown)[]
    }
    DriftedEntity: {
      name: string
      /** How the table differs from the definition. */
      drift: (string)[]
    }
    SchemaVersion: {
      /** Number and hash, for comparison. */
      version: string
      /** How often definitions have changed. */
      number: number
      /** Differs whenever the served schema differs. */
      hash: string
    }
    SchemaReloaded: {
      /** Number and hash, for comparison. */
      version: string
      /** How often definitions have changed. */
      number: number
      /** Differs whenever the served schema differs. */
      hash: string
      /** What is new, in words. */
      appeared: (string)[]
      /** What is gone. */
      vanished: (string)[]
      /** What is there, but different. */
      changed: (string)[]
    }
    Table: {
      /** Its name in GraphQL. */
      name: string
      /** Its name in the database. */
      table: string
      /** Its schema; null if the product has none. */
      schema: string | null
      kind: "table" | "view"
      comment: string | null
      columns: ({
        name: string
        /** Its name in GraphQL. */
        field: string | null
        /** As the database calls it. */
        type: string
        /** The GraphQL scalar. */
        graphql_type: string
        nullable: boolean
        has_default: boolean
        /** Whether the database computes the value. */
        read_only: boolean
        comment: string | null
      })[]
      /** Its columns; empty if there is none. */
      primary_key: (string)[]
      unique_keys: ((string)[])[]
      foreign_keys: ({
        /** The GraphQL field that follows it. */
        field: string
        columns: (string)[]
        references: {
          /** Its GraphQL name. */
          table: string
          columns: (string)[]
        }
        /** The GraphQL field of the other table that leads back. */
        collection: string | null
      })[]
      /** Foreign keys of other tables that refer to this one. */
      collections: ({
        /** The GraphQL field with the rows. */
        field: string
        columns: (string)[]
        referenced_by: {
          /** Its GraphQL name. */
          table: string
          columns: (string)[]
        }
        /** The GraphQL field of the other table that leads back. */
        reference: string | null
      })[]
      /** The name of its entity; null if it has none. */
      entity: string | null
      /** The path of its published API; null if there is none. */
      resource: string | null
      /** Whether the entity was made from the table, and not the table from it. */
      adopted: boolean
      /** Whether it can be made an entity; null if it is one. */
      adoption: {
        /** As far as columns and keys say; the dry run of an adoption looks at rows as well. */
        possible: boolean
        /** What to call it in an adoption. */
        name: string
        /** Why it cannot be adopted, in sentences. */
        reasons: (string)[]
      } | null
      /** From the database's statistics, not counted; null if it has none. */
      estimated_rows: number | null
    }
    GraphqlName: {
      kind: "table" | "field" | "reference" | "collection"
      /** What it names, as people write it. */
      of: string
      /** The name in GraphQL. */
      name: string
      by: "rule" | "command" | "configuration"
    }
    GraphqlNameChoice: {
      kind: "table" | "field" | "reference" | "collection"
      of: string
      name: string
    }
    GraphqlRequest: {
      /** The GraphQL document. */
      query?: string
      /** In place of the document: the id or SHA-256 hash of a stored one. */
      documentId?: string
      operationName?: string | null
      variables?: { [key: string]: unknown } | null
      extensions?: { [key: string]: unknown } | null
    }
    GraphqlResponse: {
      data?: { [key: string]: unknown } | null
      errors?: ({
        message: string
        path?: (string | number)[]
        locations?: ({
          line: number
          column: number
        })[]
        extensions?: { [key: string]: unknown }
      })[]
    }
    Health: {
      status: "ok"
    }
    Status: {
      /** The version of Gatehouse. */
      version: string
      node: {
        /** The name of the machine. */
        name: string
        pid: number
        /** The version of Node.js. */
        runtime: string
        /** When it began to serve. */
        started: string
        uptime_seconds: number
      }
      database: {
        /** As the option db_product names it. */
        product: string
        /** As the database says it; null if it does not respond. */
        version: string | null
        reachable: boolean
        connections: {
          /** How many connections have work; reads that share one are not counted. */
          in_use: number
          /** How many callers wait for one. */
          waiting: number
          /** How many may be in use at the same time. */
          most: number
        }
      }
      store: {
        /** Whether it is another database than the one of the tables. */
        separate: boolean
        /** As the option db_product names it. */
        product: string
        /** As the database says it; null if it does not respond. */
        version: string | null
        reachable: boolean
        connections: {
          /** How many connections have work; reads that share one are not counted. */
          in_use: number
          /** How many callers wait for one. */
          waiting: number
          /** How many may be in use at the same time. */
          most: number
        }
      }
      counts: {
        /** Tables and views that are served. */
        tables: number
        /** Entity definitions. */
        entities: number
        /** Published APIs. */
        published_apis: number
        roles: number
        accounts: number
        routes: number
      }
      schema: {
        /** As in the header X-Gatehouse-Schema. */
        version: string
        /** When the tables were read. */
        read_at: string
        age_seconds: number
      }
      process: {
        rss_bytes: number
        heap_used_bytes: number
        heap_total_bytes: number
        event_loop_delay_ms: {
          /** Since the last sample. */
          p99: number
          /** Since the last sample. */
          max: number
        }
      }
      activity: {
        step_seconds: number
        duration_bounds_ms: (number)[]
        total: {
          /** Requests by status. */
          requests: {
            "1xx": number
            "2xx": number
            "3xx": number
            "4xx": number
            "5xx": number
          }
          /** Percentiles in milliseconds, estimated from a histogram; null if there were none. */
          request_ms: {
            p50: number
            p95: number
            p99: number
          } | null
          /** Statements that the database ran. */
          statements: number
          /** Statements that it refused. */
          statement_failures: number
          /** Percentiles in milliseconds, estimated from a histogram; null if there were none. */
          statement_ms: {
            p50: number
            p95: number
            p99: number
          } | null
          /** Requests that ended in an error that is not the client's. */
          failures: number
          /** How many took up to each of duration_bounds_ms, and longer than the one before; the last one, longer than all. */
          request_histogram: (number)[]
          /** How many took up to each of duration_bounds_ms, and longer than the one before; the last one, longer than all. */
          statement_histogram: (number)[]
        }
        steps: ({
          /** When the step began. */
          at: string
          /** Requests by status. */
          requests: {
            "1xx": number
            "2xx": number
            "3xx": number
            "4xx": number
            "5xx": number
          }
          /** Percentiles in milliseconds, estimated from a histogram; null if there were none. */
          request_ms: {
            p50: number
            p95: number
            p99: number
          } | null
          /** Statements that the database ran. */
          statements: number
          /** Statements that it refused. */
          statement_failures: number
          /** Percentiles in milliseconds, estimated from a histogram; null if there were none. */
          statement_ms: {
            p50: number
            p95: number
            p99: number
          } | null
          /** Requests that ended in an error that is not the client's. */
          failures: number
          sample: {
            rss_bytes: number
            heap_used_bytes: number
            /** The longest delay in the step before. */
            event_loop_delay_ms: number
            connections_in_use: number
            connections_waiting: number
          } | null
        })[]
      }
    }
    Configuration: {
      options: ({
        /** As in a configuration file. */
        key: string
        /** As written; `(set)` for a secret, null without a value. */
        value: string | null
        source: "flag" | "variable" | "file" | "default" | null
        /** Where exactly it comes from. */
        origin: string | null
        description: string
        /** Completes the sentence “takes …”. */
        takes: string
        default: string | null
        /** What happens without a value. */
        otherwise: string | null
        secret: boolean
      })[]
    }
    SlowStatements: {
      /** The option slow_statement. */
      threshold_ms: number
      statements: ({
        /** The text with placeholders, without values. */
        sql: string
        /** What ran it; null for the gateway itself. */
        cause: string | null
        /** How often it took long. */
        count: number
        total_ms: number
        /** Of the last 64 times. */
        median_ms: number
        max_ms: number
        /** The most rows that it gave or changed. */
        rows: number
        /** When it last took long. */
        last_seen: string
      })[]
    }
  }
}

