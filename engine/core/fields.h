#pragma once
// The list of a record's members, from which its readers and writers are made.

#include <ranges>
#include <tuple>
#include <type_traits>

namespace mantissa {

/// A member of a record by name, directly or within other members:
/// Field{"zeros", &HealthRow::statistics, &TensorStatistics::zeros}.
template <typename... Members>
struct Field {
  constexpr explicit Field(const char* its_name, Members... members)
      : name(its_name), path(members...) {}

  /// The member in `record`, const if the record is.
  template <typename Record>
  constexpr auto& of(Record& record) const {
    return std::apply(
        [&](const auto&... member) -> auto& { return (record.*....*member); }, path);
  }

  const char* name;  ///< in the database, in JSON and in CSV
  std::tuple<Members...> path;
};

/// A record with a list of its members: `static constexpr auto fields()`, a tuple of Field.
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
  std::apply([&](const auto&... field) { (use(field.name, field.of(record)), ...); }, fields);
}

/// Calls use(name, member) for all members of a record.
template <typename Record, typename Use>
void each_field(Record& record, Use&& use) {
  each_field_of(std::remove_const_t<Record>::fields(), record, use);
}

}  // namespace mantissa
