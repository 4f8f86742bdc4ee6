#pragma once
// The list of a record's members, from which its readers and writers are made.

#include <ranges>
#include <type_traits>

namespace mantissa {

/// A member of a record by name, directly or within another member:
/// Field{"zeros", &HealthRow::statistics, &TensorStatistics::zeros}.
template <typename... Members>
struct Field;

template <typename Member>
struct Field<Member> {
  const char* name;  ///< in the database, in JSON and in CSV
  Member member;

  /// The member in `record`, const if the record is.
  template <typename Record>
  constexpr auto& of(Record& record) const {
    return record.*member;
  }
};

template <typename Outer, typename Inner>
struct Field<Outer, Inner> {
  const char* name;
  Outer outer;
  Inner inner;

  template <typename Record>
  constexpr auto& of(Record& record) const {
    return record.*outer.*inner;
  }
};

template <typename... Members>
Field(const char*, Members...) -> Field<Members...>;

/// A list of fields: a function that passes all of them to the function it is given. A tuple of so
/// many takes compilers longer.
template <typename... Fields>
constexpr auto field_list(Fields... fields) {
  return [fields...](const auto& use) { return use(fields...); };
}

/// The fields of two lists as one.
template <typename First, typename Second>
constexpr auto joined_fields(const First& first, const Second& second) {
  return first([&](auto... before) {
    return second([before...](auto... after) { return field_list(before..., after...); });
  });
}

/// A record with a list of its members: `static constexpr auto fields()`, a field_list.
template <typename T>
concept HasFields = requires {
  std::remove_cvref_t<T>::fields();
};

/// A list of such records.
template <typename T>
concept RecordList = std::ranges::range<T> && HasFields<std::ranges::range_value_t<T>>;

/// Calls use(name, member) for each of `fields`, in their order.
template <typename Fields, typename Record, typename Use>
void each_field_of(const Fields& fields, Record& record, Use&& use) {
  fields([&](const auto&... field) { (use(field.name, field.of(record)), ...); });
}

/// Calls use(name, member) for all members of a record.
template <typename Record, typename Use>
void each_field(Record& record, Use&& use) {
  each_field_of(std::remove_const_t<Record>::fields(), record, use);
}

}  // namespace mantissa
