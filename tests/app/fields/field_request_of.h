// Requests for fields, and what is said where they cannot be met, for tests.
#pragma once

#include <gtest/gtest.h>

#include "app/fields/fields.h"
#include "molecule/base/error.h"

namespace isolume::test {

inline FieldRequest request_of(Field::Kind kind, std::shared_ptr<const Molecule> molecule, double spacing) {
  FieldRequest request;
  request.field.kind = kind;
  request.field.spacing = spacing;
  request.molecule = std::move(molecule);
  return request;
}

/// The message of what `body` throws.
template <class Body>
std::string complaint(const Body& body, Error::Kind kind) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace isolume::test
