const KEPT = 'petstore.docs.authorized';

/** Keeps the key in its tab while the page is loaded again. Swagger UI itself has localStorage alone for it. */
export function keptKey() {
  return {
    afterLoad({ authActions }) {
      whereAllowed(() => {
        const authorized = JSON.parse(sessionStorage.getItem(KEPT));
        if (authorized) authActions.restoreAuthorization({ authorized });
      });
    },
    statePlugins: {
      auth: {
        wrapActions: {
          // Called after "Authorize" and "Logout".
          persistAuthorizationIfNeeded:
            (_persist, { authSelectors }) =>
            () =>
              whereAllowed(() => sessionStorage.setItem(KEPT, JSON.stringify(authSelectors.authorized()))),
        },
      },
    },
  };
}

/** Browsers that may store nothing throw already at the name of the storage; without it the page does all else. */
function whereAllowed(work) {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
